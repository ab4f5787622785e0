package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Fuzz;
import dev.millrace.model.testing.Mutations;
import dev.millrace.model.testing.PopulationTestEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.learning.config.Adam;

/** Archives of any content are served or refused: no error, and no foreign exception. */
final class FuzzedArchivesTest {

  private static final ModelEngine ENGINE = ModelEngine.named("dl4j");
  private static final Fuzz FUZZ = new Fuzz(InvalidModelException.class);

  private static final ExampleShape FLAT = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final ExampleShape IMAGES = new ExampleShape(200, 5, Target.CLASSIFICATION);
  private static final ExampleShape IDS = new ExampleShape(1, 3, Target.CLASSIFICATION);

  /** An archive that is good. */
  private record Whole(String engine, ExampleShape shape, Path archive) {}

  @TempDir private Path directory;

  @Test
  void archivesAreServedOrRefused() throws IOException {
    assertThat(archives(directory, 400)).isGreaterThan(100);
  }

  static int archives(Path directory, int count) throws IOException {
    List<Whole> all =
        List.of(
            of("mlp", ENGINE.define(TestNetworks.mlp()), directory),
            of("layers", TestNetworks.layeredJson(new Adam(0.1), 1), FLAT, directory),
            of("graph", TestNetworks.graphJson(), FLAT, directory),
            of("images", TestNetworks.graphOfImagesJson(), IMAGES, directory),
            of("steps", StructuredNetworks.lastStep(), StructuredNetworks.LAST, directory),
            of("two", StructuredNetworks.twoInputs(), StructuredNetworks.TWO, directory),
            of("embedding", TestNetworks.embeddingJson(), IDS, directory),
            population(directory));
    Path changed = directory.resolve("changed.zip");
    return FUZZ.run(
        count,
        mutations -> {
          Whole whole = all.get(mutations.below(all.size()));
          change(whole.archive(), mutations, changed);
          read(changed, mutations, whole);
        });
  }

  private static void change(Path whole, Mutations mutations, Path to) throws IOException {
    if (mutations.below(10) == 0) {
      Files.write(to, mutations.bytes(Files.readAllBytes(whole)));
      return;
    }
    Map<String, byte[]> entries = ZipEntries.read(whole);
    String name = List.copyOf(entries.keySet()).get(mutations.below(entries.size()));
    String configuration = ModelSerializer.CONFIGURATION_JSON;
    String changed =
        mutations.below(3) > 0 && entries.containsKey(configuration) ? configuration : name;
    byte[] content = entries.get(changed);
    entries.put(
        changed,
        changed.endsWith(".json")
            ? mutations
                .json(new String(content, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8)
            : mutations.bytes(content));
    ZipEntries.write(entries, to);
  }

  private static void read(Path changed, Mutations mutations, Whole whole) {
    ModelEngine engine = ModelEngine.named(whole.engine());
    switch (mutations.below(4)) {
      case 0 -> engine.readArchive(changed);
      case 1 -> engine.shapeOf(changed);
      default -> engine.define(new ModelDefinition.Archive(changed, whole.shape()));
    }
  }

  private static Whole of(String name, String json, ExampleShape shape, Path directory)
      throws IOException {
    return of(name, TestNetworks.define(json, shape, directory), directory);
  }

  private static Whole population(Path directory) throws IOException {
    InitialModel member = ENGINE.define(TestNetworks.mlp());
    return of("population", PopulationTestEngine.of(List.of(member, member), 0.1, 0.2), directory);
  }

  private static Whole of(String name, InitialModel initial, Path directory) throws IOException {
    Path archive = directory.resolve(name + ".zip");
    ModelEngine.named(initial.spec().engine())
        .writeArchive(model(initial), Optional.of("{}"), archive);
    return new Whole(initial.spec().engine(), initial.spec().shape(), archive);
  }

  /** A model with all that an archive may have. */
  static GlobalModel model(InitialModel initial) {
    ExampleShape shape = initial.spec().shape();
    FeatureStatistics statistics = new FeatureStatistics(shape.width());
    statistics.add(new float[shape.width()], 1);
    return new GlobalModel(
        initial.spec(),
        new ModelVersion(0, 3),
        7,
        initial.vector(),
        statistics,
        new Ledger(),
        Measures.NONE,
        Lineage.NONE,
        new ServerOptimizerState(List.of(new float[initial.spec().parameters()]), 0),
        false);
  }
}
