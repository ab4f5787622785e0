package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Models that the engine refuses to define, or to build, and what it says of them. */
final class RefusedDefinitionTest {

  private static final ExampleShape TWELVE_TO_FIVE = new ExampleShape(12, 5, Target.CLASSIFICATION);

  @TempDir private Path directory;

  private final ModelEngine engine = new Dl4jEngine();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lennet | adam   | 784 | 0.01 | 'lennet' | did you mean 'lenet'",
        "mlp    | adan   | 12  | 0.01 | 'adan'   | did you mean 'adam'",
        "mlp    | adam   | 12  | -1   | -1.0     | above 0",
        "mlp    | adam   | 12  | NaN  | NaN      | above 0",
        "lenet  | adam   | 785 | 0.01 | 785      | height,width,channels",
        "lenet  | adam   | 100 | 0.01 | 10, 10   | 16 pixels",
      })
  void aWrongOptionIsNamedWithItsValueAndTheRemedy(
      String name, String updater, int features, double rate, String value, String remedy) {
    ExampleShape shape = new ExampleShape(features, 5, Target.CLASSIFICATION);
    List<Integer> hidden = name.equals("mlp") ? List.of(8) : List.of();

    refused(new BuiltIn(name, shape, hidden, List.of(), updater, rate, 0, 0, 1), value, remedy);
  }

  @Test
  void optionsOfOtherNetworksAreRefused() {
    refused(TestNetworks.builtIn("mlp", TWELVE_TO_FIVE, List.of(), "sgd"), "[]", "linear");
    refused(TestNetworks.builtIn("linear", TWELVE_TO_FIVE, List.of(3), "sgd"), "[3]", "leave");
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = directory.resolve("nothing.json");

    refused(new Configuration(file, TWELVE_TO_FIVE), file.toString(), "no such file");
    refused(new ModelDefinition.Archive(file, TWELVE_TO_FIVE), file.toString(), "no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no json at all             | not JSON",
        "{\"confs\": []}            | no network of DL4J",
        "{\"confs\": [{\"layer\":3}]} | can't be read as the configuration of a MultiLayerNetwork",
        "{\"a\": 1, \"a\": 2}       | not JSON",
      })
  void textThatIsNoConfigurationIsRefused(String text, String reason) throws IOException {
    Path file = Files.writeString(directory.resolve("network.json"), text);

    refused(new Configuration(file, TWELVE_TO_FIVE), file.toString(), reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javax.swing.JEditorPane",
        "org.nd4j.shade.guava.Evil",
        "dev.millrace.model.Ledger"
      })
  void classesThatArentDl4jsOwnAreNotLoaded(String name) throws IOException {
    String json =
        TestNetworks.layeredJson(new Adam(0.01), 1)
            .replace("org.nd4j.linalg.activations.impl.ActivationTanH", name);
    Path file = Files.writeString(directory.resolve("network.json"), json);

    refused(new Configuration(file, TWELVE_TO_FIVE), name, "only DL4J's own");
  }

  /** A specification may come out of somebody else's savepoint. */
  @Test
  void noSpecificationsForeignClassesAreLoadedEither() {
    InitialModel good = engine.define(TestNetworks.mlp());
    ModelSpec own = good.spec();
    String name = "javax.swing.JEditorPane";
    String json = TestNetworks.layeredJson(new Adam(0.01), 1);
    String foreign = json.replace("org.nd4j.linalg.activations.impl.ActivationTanH", name);
    ModelSpec spec =
        new ModelSpec(
            own.engine(),
            own.kind(),
            foreign,
            own.shape(),
            own.parameters(),
            own.updaterState(),
            own.nonNegative(),
            own.runningStatistics());
    GlobalModel model =
        new GlobalModel(
            spec,
            new ModelVersion(0, 1),
            1,
            good.vector(),
            new FeatureStatistics(12),
            new Ledger(),
            Measures.NONE,
            Lineage.NONE);

    assertForeign(() -> engine.describe(spec.kind(), foreign), name);
    assertForeign(() -> engine.build(spec, DeviceRequest.any()), name);
    assertForeign(
        () -> engine.writeArchive(model, Optional.empty(), directory.resolve("model.zip")), name);
    assertThatThrownBy(() -> engine.describe("ComputationGraph", json))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("MultiLayerNetwork", "ComputationGraph");
  }

  private static void assertForeign(ThrowingCallable reading, String name) {
    assertThatThrownBy(reading)
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(name, "only DL4J's own");
  }

  @ParameterizedTest
  @CsvSource({
    "13, 5, CLASSIFICATION, takes 12 values, 13 features",
    "12, 6, CLASSIFICATION, gives 5 values, 6 outputs",
    "12, 5, MULTI_LABEL, softmax, sigmoid",
    "12, 5, REGRESSION, softmax, identity",
  })
  void aNetworkThatDoesntFitTheExamplesIsRefused(
      int features, int outputs, Target target, String value, String remedy) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("network.json"), TestNetworks.layeredJson(new Adam(0.01), 1));

    refused(
        new Configuration(file, new ExampleShape(features, outputs, target)),
        file.toString(),
        value,
        remedy);
  }

  @Test
  void imagesOfTheWrongSizeAreRefused() throws IOException {
    Path file =
        Files.writeString(directory.resolve("network.json"), TestNetworks.graphOfImagesJson());

    refused(
        new Configuration(file, new ExampleShape(202, 5, Target.CLASSIFICATION)),
        "202 features",
        "convolutionalFlat");
    // A square of two channels again, but not the one that the output layer was made for.
    refused(
        new Configuration(file, new ExampleShape(2 * 14 * 14, 5, Target.CLASSIFICATION)),
        "392 features",
        "fails on an example");
  }

  @Test
  void recurrentOutputsAreRefused() throws IOException {
    String json =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new LSTM.Builder().nIn(12).nOut(4).build())
            .layer(new RnnOutputLayer.Builder(LossFunction.MCXENT).nIn(4).nOut(5).build())
            .build()
            .toJson();
    Path file = Files.writeString(directory.resolve("network.json"), json);

    refused(new Configuration(file, TWELVE_TO_FIVE), "RnnOutputLayer", "OutputLayer");
  }

  /** DL4J would learn nothing from rows, and only log a warning. */
  @Test
  void truncatedBackpropagationThroughTimeIsRefused() throws IOException {
    String json =
        TestNetworks.layeredJson(new Adam(0.01), 1)
            .replace("\"backpropType\" : \"Standard\"", "\"backpropType\" : \"TruncatedBPTT\"");
    Path file = Files.writeString(directory.resolve("network.json"), json);

    refused(new Configuration(file, TWELVE_TO_FIVE), "truncated", "backpropType to Standard");
  }

  @Test
  void severalOutputsAreRefused() throws IOException {
    String json =
        new NeuralNetConfiguration.Builder()
            .graphBuilder()
            .addInputs("in")
            .addLayer("one", new OutputLayer.Builder().nIn(12).nOut(5).build(), "in")
            .addLayer("two", new OutputLayer.Builder().nIn(12).nOut(5).build(), "in")
            .setOutputs("one", "two")
            .build()
            .toJson();
    Path file = Files.writeString(directory.resolve("network.json"), json);

    refused(new Configuration(file, TWELVE_TO_FIVE), "[one, two]", "name them with their widths");
  }

  private void refused(ModelDefinition definition, String... parts) {
    assertThatThrownBy(() -> engine.define(definition))
        .isInstanceOf(InvalidModelException.class)
        .message()
        .contains(parts);
  }
}
