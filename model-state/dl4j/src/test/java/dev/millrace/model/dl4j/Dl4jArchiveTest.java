package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

final class Dl4jArchiveTest {

  private static final ExampleShape SHAPE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final int ROWS = 6;

  @TempDir private Path directory;

  private final Dl4jEngine engine = new Dl4jEngine();
  private final Random random = new Random(11);

  @ParameterizedTest
  @ValueSource(strings = {"MultiLayerNetwork", "ComputationGraph"})
  void plainDl4jLoadsItAndPredictsAndTrainsBitEqual(String kind) throws IOException {
    try (ModelReplica replica = trained(kind)) {
      FeatureStatistics statistics = statistics();
      Path file = directory.resolve("model.zip");

      engine.writeArchive(global(replica, TestNetworks.vector(replica), statistics), file);

      Model loaded = load(kind, file.toFile());
      DataNormalization normalizer = ModelSerializer.restoreNormalizerFromFile(file.toFile());
      Minibatch minibatch = TestNetworks.examples(replica.spec(), ROWS, random);
      INDArray features =
          Nd4j.createFromArray(minibatch.features().clone()).reshape(ROWS, SHAPE.features());
      normalizer.transform(features);
      statistics.standardization().apply(minibatch.features(), ROWS);
      assertThat(features.data().asFloat()).isEqualTo(minibatch.features());

      float[] predictions = new float[ROWS * SHAPE.outputs()];
      replica.predict(minibatch.features(), ROWS, predictions);
      PlainDl4j plain = new PlainDl4j(loaded, SHAPE.features());
      assertThat(plain.output(features)).isEqualTo(predictions);

      replica.fit(minibatch, predictions);
      plain.fit(minibatch);
      assertThat(plain.vector()).isEqualTo(TestNetworks.vector(replica));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"MultiLayerNetwork", "ComputationGraph"})
  void comesBackWhole(String kind) throws IOException {
    try (ModelReplica replica = trained(kind)) {
      FeatureStatistics statistics = statistics();
      statistics.setClip(7);
      Path file = directory.resolve("model.zip");
      engine.writeArchive(global(replica, TestNetworks.vector(replica), statistics), file);

      InitialModel model = engine.define(new Archive(file, SHAPE));

      assertThat(model.spec()).isEqualTo(replica.spec());
      assertThat(model.vector()).isEqualTo(TestNetworks.vector(replica));
      assertThat(model.iteration()).isEqualTo(replica.steps().iteration());
      assertThat(model.statistics().orElseThrow().count()).isEqualTo(statistics.count());
      assertThat(model.statistics().orElseThrow().clip()).isEqualTo(7);
      for (int i = 0; i < SHAPE.features(); i++) {
        assertThat(model.statistics().orElseThrow().mean(i)).isEqualTo(statistics.mean(i));
        assertThat(model.statistics().orElseThrow().deviation(i))
            .isEqualTo(statistics.deviation(i));
      }
    }
  }

  /** So its features need clipping by whoever uses plain DL4J; the description says at what. */
  @Test
  void plainDl4jDoesNotClip() throws IOException {
    try (ModelReplica replica = trained("MultiLayerNetwork")) {
      FeatureStatistics statistics = statistics();
      statistics.setClip(1);
      Path file = directory.resolve("model.zip");
      engine.writeArchive(global(replica, TestNetworks.vector(replica), statistics), file);

      DataNormalization normalizer = ModelSerializer.restoreNormalizerFromFile(file.toFile());
      Minibatch minibatch = TestNetworks.examples(replica.spec(), ROWS, random);
      INDArray features =
          Nd4j.createFromArray(minibatch.features().clone()).reshape(ROWS, SHAPE.features());
      normalizer.transform(features);

      assertThat(features.amaxNumber().floatValue()).isGreaterThan(1);
      INDArray clipped = Nd4j.math().clipByValue(features, -1, 1);
      statistics.standardization().apply(minibatch.features(), ROWS);
      assertThat(clipped.data().asFloat()).isEqualTo(minibatch.features());
    }
  }

  @Test
  void aServerOptimizersStateComesBackAndPlainDl4jPassesItOver() throws IOException {
    try (ModelReplica replica = trained("MultiLayerNetwork")) {
      float[] vector = TestNetworks.vector(replica);
      int parameters = replica.spec().parameters();
      ServerOptimizerState state =
          new ServerOptimizerState(List.of(slot(parameters), slot(parameters)), 70);
      GlobalModel without = global(replica, vector, statistics());
      Path plain = directory.resolve("plain.zip");
      Path file = directory.resolve("model.zip");
      engine.writeArchive(without, plain);
      engine.writeArchive(
          new GlobalModel(
              without.spec(),
              without.version(),
              without.iteration(),
              vector,
              without.statistics(),
              without.ledger(),
              without.prequential(),
              without.lineage(),
              state,
              false),
          file);

      InitialModel model = engine.define(new Archive(file, SHAPE));

      assertThat(model.serverOptimizer()).usingRecursiveComparison().isEqualTo(state);
      assertThat(engine.readArchive(file).serverOptimizer())
          .usingRecursiveComparison()
          .isEqualTo(state);
      assertThat(new PlainDl4j(load("MultiLayerNetwork", file.toFile()), SHAPE.features()).vector())
          .isEqualTo(vector);
      assertThat(engine.define(new Archive(plain, SHAPE)).serverOptimizer().isEmpty()).isTrue();
      assertThat(entries(file)).contains(Dl4jArchive.SERVER_OPTIMIZER_ENTRY);
      assertThat(entries(plain)).doesNotContain(Dl4jArchive.SERVER_OPTIMIZER_ENTRY);
    }
  }

  private float[] slot(int length) {
    float[] slot = new float[length];
    for (int i = 0; i < length; i++) {
      slot[i] = (float) random.nextGaussian();
    }
    return slot;
  }

  private static List<String> entries(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    }
  }

  @Test
  void parametersAloneAreWrittenWithoutUpdaterState() throws IOException {
    try (ModelReplica replica = trained("MultiLayerNetwork")) {
      float[] parameters = Arrays.copyOf(TestNetworks.vector(replica), replica.spec().parameters());
      Path file = directory.resolve("model.zip");

      engine.writeArchive(global(replica, parameters, new FeatureStatistics(0)), file);

      try (ZipFile zip = new ZipFile(file.toFile())) {
        assertThat(zip.getEntry(ModelSerializer.UPDATER_BIN)).isNull();
        assertThat(zip.getEntry(ModelSerializer.NORMALIZER_BIN)).isNull();
      }
      assertThat(load("MultiLayerNetwork", file.toFile()).params().data().asFloat())
          .isEqualTo(parameters);
      InitialModel model = engine.define(new Archive(file, SHAPE));
      assertThat(model.vector()).startsWith(parameters).hasSize(replica.spec().vectorLength());
      assertThat(model.statistics()).isEmpty();
    }
  }

  @Test
  void anotherNormalizerCountsAsAThousandExamples() throws IOException {
    Path file = exported();
    float[] mean = new float[SHAPE.features()];
    Arrays.fill(mean, 3);
    float[] deviation = new float[SHAPE.features()];
    Arrays.fill(deviation, 2);
    deviation[1] = 0;
    ModelSerializer.addNormalizerToModel(
        file.toFile(),
        new NormalizerStandardize(
            Nd4j.createFromArray(mean).reshape(1, mean.length),
            Nd4j.createFromArray(deviation).reshape(1, mean.length)));

    FeatureStatistics statistics =
        engine.define(new Archive(file, SHAPE)).statistics().orElseThrow();

    assertThat(statistics.count()).isEqualTo(1000);
    assertThat(statistics.clips()).as("its own training didn't").isFalse();
    assertThat(statistics.mean(0)).isEqualTo(3);
    assertThat(statistics.deviation(0)).isEqualTo(2);
    assertThat(statistics.deviation(1)).isEqualTo((float) Nd4j.EPS_THRESHOLD);
  }

  @Test
  void otherKindsOfNormalizerAreRefused() throws IOException {
    Path file = exported();
    ModelSerializer.addNormalizerToModel(file.toFile(), new ImagePreProcessingScaler());

    assertThatThrownBy(() -> engine.define(new Archive(file, SHAPE)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(file.toString(), "IMAGE_MIN_MAX", "STANDARDIZE");
  }

  private Path exported() throws IOException {
    Path file = directory.resolve("model.zip");
    try (ModelReplica replica = trained("MultiLayerNetwork")) {
      engine.writeArchive(global(replica, TestNetworks.vector(replica), statistics()), file);
    }
    return file;
  }

  private ModelReplica trained(String kind) throws IOException {
    InitialModel model =
        kind.equals("MultiLayerNetwork")
            ? engine.define(TestNetworks.mlp())
            : TestNetworks.define(TestNetworks.graphJson(), SHAPE, directory);
    ModelReplica replica = TestNetworks.replica(model);
    for (int step = 0; step < 3; step++) {
      replica.fit(
          TestNetworks.examples(model.spec(), ROWS, random), new float[ROWS * SHAPE.outputs()]);
    }
    return replica;
  }

  /** Of gaussian features, of which the first never changes. */
  private FeatureStatistics statistics() {
    FeatureStatistics statistics = new FeatureStatistics(SHAPE.features());
    for (int i = 0; i < 50; i++) {
      float[] features = TestNetworks.features(SHAPE, random);
      features[0] = 4;
      statistics.add(features, 1);
    }
    return statistics;
  }

  private static GlobalModel global(
      ModelReplica replica, float[] vector, FeatureStatistics statistics) {
    return new GlobalModel(
        replica.spec(),
        new ModelVersion(0, 1),
        replica.steps().iteration(),
        vector,
        statistics,
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  private static Model load(String kind, File file) throws IOException {
    if (kind.equals("MultiLayerNetwork")) {
      MultiLayerNetwork network = ModelSerializer.restoreMultiLayerNetwork(file, true);
      return network;
    }
    ComputationGraph network = ModelSerializer.restoreComputationGraph(file, true);
    return network;
  }
}
