package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Bytes;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.score.ScoreCounter;
import dev.millrace.model.score.ScoreCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/** The bytes in the test resources are in somebody's savepoint: they stay readable for good. */
final class WireFormatTest {

  static final List<Arguments> formats =
      List.of(
          Arguments.of("ledger-1.hex", Ledger.WIRE, ledger()),
          Arguments.of("feature-statistics-1.hex", FeatureStatistics.WIRE, statistics()),
          Arguments.of("learned-features-1.hex", LearnedFeatures.WIRE, FieldShapes.learned()),
          Arguments.of("server-optimizer-1.hex", ServerOptimizerState.WIRE, serverOptimizer()),
          Arguments.of("word-counts-1.hex", WordCounts.WIRE, counts()),
          Arguments.of(
              "vocabularies-1.hex", Vocabularies.WIRE, FieldShapes.learned().vocabularies()),
          Arguments.of("measures-1.hex", Measures.WIRE, measures()),
          Arguments.of("score-counts-1.hex", ScoreCounts.WIRE, measures().scores()));

  @ParameterizedTest
  @FieldSource("formats")
  <T> void versionOneIsReadAndWrittenAsEver(String resource, WireFormat<T> format, T value)
      throws IOException {
    byte[] bytes = Bytes.resource(resource);

    assertThat(format.read(Bytes.in(bytes))).usingRecursiveComparison().isEqualTo(value);
    assertThat(Bytes.of(out -> format.write(value, out))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @FieldSource("formats")
  <T> void unknownVersionsAreRefused(String resource, WireFormat<T> format, T value)
      throws IOException {
    byte[] bytes = Bytes.resource(resource);
    for (int version : new int[] {0, 2, 255}) {
      bytes[0] = (byte) version;

      assertThatThrownBy(() -> format.read(Bytes.in(bytes)))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              value.getClass().getSimpleName(), "version " + version, "versions 1 to 1");
    }
  }

  @Test
  void statisticsTakeTheBytesThatArchivesExpect() throws IOException {
    byte[] bytes = Bytes.of(out -> FeatureStatistics.WIRE.write(statistics(), out));

    assertThat(bytes).hasSize((int) FeatureStatistics.bytes(2));
  }

  @Test
  void aClipThatIsNoneIsRefused() throws IOException {
    byte[] bytes = Bytes.of(out -> FeatureStatistics.WIRE.write(statistics(), out));
    bytes[bytes.length - 1 - Double.BYTES] = (byte) 0xc0;

    assertThatThrownBy(() -> FeatureStatistics.WIRE.read(Bytes.in(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("clipped at -10.0 deviations");
  }

  /** Lists of names may be longer than the 64 KB that Java's own format of strings has room for. */
  @Test
  void aLineageHasOptionsOfAnyLength() throws IOException {
    Lineage lineage =
        new Lineage(null, Map.of("input.classes", "ä".repeat(50_000), "batch.size", "8"));

    byte[] bytes = Bytes.of(out -> Lineage.WIRE.write(lineage, out));

    assertThat(Lineage.WIRE.read(Bytes.in(bytes))).isEqualTo(lineage);
  }

  @Test
  void aGlobalModelHasTheWholeVectorOrTheParametersAlone() {
    ModelSpec spec =
        new ModelSpec(
            "engine", "kind", "{}", new ExampleShape(1, 1, Target.REGRESSION), 3, 2, List.of());

    assertThat(global(spec, 5).standardizes()).isTrue();
    assertThat(global(spec, 3).vector()).hasSize(3);
    assertThatThrownBy(() -> global(spec, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("3", "2", "4");
  }

  @Test
  void aMovingAverageHasTheParametersAlone() {
    ModelSpec spec =
        new ModelSpec(
            "engine", "kind", "{}", new ExampleShape(1, 1, Target.REGRESSION), 2, 2, List.of());

    assertThat(global(spec, 2, ServerOptimizerState.NONE, true).movingAverage()).isTrue();
    assertThatThrownBy(() -> global(spec, 4, ServerOptimizerState.NONE, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("moving average", "2 parameters", "vector of 4");
    assertThatThrownBy(() -> global(spec, 2, serverOptimizer(), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4 values of a server optimizer");
  }

  private static GlobalModel global(ModelSpec spec, int length) {
    return global(spec, length, ServerOptimizerState.NONE, false);
  }

  private static GlobalModel global(
      ModelSpec spec, int length, ServerOptimizerState serverOptimizer, boolean movingAverage) {
    return new GlobalModel(
        spec,
        new ModelVersion(0, 0),
        0,
        new float[length],
        new FeatureStatistics(1),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE,
        serverOptimizer,
        movingAverage);
  }

  private static Ledger ledger() {
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("examples", 0), 4);
    ledger.learned(new Partition("examples", 0), 6);
    ledger.rejected(new Partition("examples", 0), 5);
    ledger.rejected(new Partition("mehr-übung", 12), 1L << 40);
    ledger.heldOut(new Partition("examples", 0), 7);
    return ledger;
  }

  private static ServerOptimizerState serverOptimizer() {
    return new ServerOptimizerState(List.of(new float[] {1, -2.5f}, new float[] {3, 1e-20f}), 70);
  }

  private static Measures measures() {
    ScoreCounter scores = new ScoreCounter();
    scores.add(0.01f, true);
    scores.add(0.99f, true);
    for (int i = 0; i < 200; i++) {
      scores.add(0.25f, false);
    }
    return new Measures(202, 7, 3.5, 1.25, 0.625, 51, scores.counts());
  }

  private static WordCounts counts() {
    WordCounts counts = new WordCounts(2);
    counts.add(0, "tcp");
    counts.add(0, "tcp");
    counts.add(0, "ü");
    counts.add(0, null);
    counts.add(1, "");
    return counts;
  }

  private static FeatureStatistics statistics() {
    FeatureStatistics statistics = new FeatureStatistics(2);
    statistics.add(new float[] {1, -2, 3, 4}, 2);
    statistics.setClip(10);
    return statistics;
  }
}
