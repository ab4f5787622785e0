package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Descriptions and pointers of any content are read or refused. */
final class FuzzedDescriptionsTest {

  private static final Fuzz FUZZ = new Fuzz(IOException.class);

  @Test
  void descriptionsAreReadOrRefused() {
    assertThat(descriptions(3_000)).isGreaterThan(500);
  }

  @Test
  void pointersAreReadOrRefused() {
    assertThat(pointers(3_000)).isGreaterThan(500);
  }

  @Test
  void holdsAreReadOrRefused() {
    assertThat(holds(3_000)).isGreaterThan(500);
  }

  static int descriptions(int count) {
    String whole = description().toJson();
    return FUZZ.run(
        count,
        mutations -> {
          SnapshotDescription read = SnapshotDescription.fromJson(mutations.json(whole));
          assertThat(SnapshotDescription.fromJson(read.toJson()).version())
              .isEqualTo(read.version());
          read.learned();
          read.mayBeServed();
        });
  }

  static int pointers(int count) {
    String whole = Pointer.to(new SnapshotName(new ModelVersion(2, 7))).toJson();
    return FUZZ.run(
        count,
        mutations -> {
          Pointer read = Pointer.fromJson(mutations.json(whole));
          ModelVersion.parse(read.version());
          assertThat(FileName.isPlain(read.archive())).isTrue();
        });
  }

  static int holds(int count) {
    String whole = Hold.of(description()).toJson();
    return FUZZ.run(
        count,
        mutations -> {
          Hold read = Hold.fromJson(mutations.json(whole));
          ModelVersion.parse(read.version());
          assertThat(FileName.isPlain(read.archive())).isTrue();
        });
  }

  private static SnapshotDescription description() {
    Lineage lineage =
        new Lineage(
            new Lineage.Parent("model-1.7.zip", "abc", new ModelVersion(1, 7)),
            Map.of("input.classes", "a;b"));
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("t", 0), 7);
    GlobalModel plain = TestModels.model(2, 7, lineage);
    ModelSpec spec =
        new ModelSpec(
            "test", "kind", "{}", FieldShapes.flow(2), plain.vector().length, 0, List.of());
    LearnedFeatures learned = FieldShapes.learned();
    return SnapshotDescription.of(
            new GlobalModel(
                spec,
                plain.version(),
                1,
                plain.vector(),
                learned,
                ledger,
                new Measures(4, 3, 2, 0, 0),
                lineage,
                plain.serverOptimizer(),
                false),
            Optional.of(Quality.of(Target.CLASSIFICATION, new Measures(4, 3, 2, 0, 0)).onSet("ab")),
            Instant.EPOCH)
        .numbered(3)
        .committed(9);
  }
}
