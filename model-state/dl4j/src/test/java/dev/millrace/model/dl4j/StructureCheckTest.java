package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks whose inputs and outputs don't fit the examples' structure, and archives of others. */
final class StructureCheckTest {

  private static final ExampleShape ROWS = new ExampleShape(3, 4, Target.CLASSIFICATION);

  @TempDir private Path directory;

  @Test
  void sequencesAndRowsAreToldApart() {
    refused(
        StructuredNetworks.lastStep(), ROWS, "LastTimeStep", "takes sequences", "the most steps");
    refused(
        StructuredNetworks.eachStep(), ROWS, "RnnOutputLayer", "LastTimeStep", "a label for each");
    refused(
        TestNetworks.layeredJson(new Sgd(1), 1),
        sequences(12, 5, false),
        "DenseLayer",
        "takes no sequences",
        "LSTM");
  }

  @Test
  void theEndSaysWhetherStepsHaveLabels() {
    refused(StructuredNetworks.eachStep(), StructuredNetworks.LAST, "RnnOutputLayer", "one label");
    refused(
        StructuredNetworks.lastStep(),
        StructuredNetworks.EACH,
        "each step of a sequence has a label",
        "RnnOutputLayer");
  }

  @Test
  void truncatedBackpropagationNeedsStepsWithLabels() {
    refused(StructuredNetworks.truncated(3), StructuredNetworks.LAST, "RnnOutputLayer");
    String json =
        StructuredNetworks.lastStep()
            .replace("\"backpropType\" : \"Standard\"", "\"backpropType\" : \"TruncatedBPTT\"");
    refused(json, StructuredNetworks.LAST, "truncated", "set backpropType to Standard");
  }

  @Test
  void sizesAreThoseOfAStep() {
    refused(
        StructuredNetworks.lastStep(),
        sequences(5, 4, false),
        "takes 3 values of each step",
        "have 5");
    refused(StructuredNetworks.eachStep(), sequences(3, 6, true), "gives 4 values", "6 outputs");
  }

  @Test
  void stepsComeLastInArrays() {
    String json =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new LSTM.Builder().nOut(5).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(4)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(InputType.recurrent(3, RNNFormat.NWC))
            .build()
            .toJson();
    refused(json, StructuredNetworks.EACH, "NWC", "NCW");
  }

  @Test
  void severalArraysHaveToBeNamed() {
    refused(
        StructuredNetworks.twoInputs(),
        new ExampleShape(12, 5, Target.CLASSIFICATION),
        "[item, user]",
        "name them");
    refused(
        StructuredNetworks.twoInputs(),
        named("user:4", "thing:8"),
        "[item, user]",
        "[user, thing]",
        "the network's names");
    refused(
        StructuredNetworks.twoInputs(),
        named("user:6", "item:6"),
        "of the input 'item'",
        "takes 8 values",
        "6 features");
    refused(
        StructuredNetworks.lastStep(),
        named("user:4", "item:8"),
        "[input]",
        "[user, item]",
        "the network's names");
  }

  @Test
  void eachOutputHasATargetOfItsOwn() {
    ExampleShape wrong =
        new ExampleShape(
            12,
            5,
            Target.CLASSIFICATION,
            FeatureColumns.PLAIN,
            new ExampleStructure(
                0,
                false,
                StructuredNetworks.TWO.structure().inputs(),
                List.of(
                    new Output("kind", new IndexRange(0, 3), Target.CLASSIFICATION),
                    new Output("amount", new IndexRange(3, 5), Target.CLASSIFICATION))));
    refused(StructuredNetworks.twoInputs(), wrong, "identity", "softmax");
  }

  @Test
  void anInputMayBeAnImage(TestInfo test) throws IOException {
    Random random = TestNetworks.random(test);
    ExampleShape shape = named("image:12", "row:4");
    InitialModel model = TestNetworks.define(StructuredNetworks.imageAndRow(), shape, directory);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      Minibatch minibatch = StructuredNetworks.examples(shape, 3, random);
      replica.fit(minibatch, new float[3 * 4]);
      assertThat(TestNetworks.vector(replica)).isNotEqualTo(model.vector());
    }
    refused(
        StructuredNetworks.imageAndRow(),
        named("image:10", "row:4"),
        "2 x 3 pixels",
        "10 features");
  }

  @Test
  void archivesGoOnWhereTheyWere(TestInfo test) throws IOException {
    Random random = TestNetworks.random(test);
    ExampleShape shape = StructuredNetworks.EACH;
    InitialModel model = TestNetworks.define(StructuredNetworks.eachStep(), shape, directory);
    Minibatch minibatch = StructuredNetworks.examples(shape, 4, random);
    Path archive = directory.resolve("model.zip");
    float[] vector;
    float[] predictions = new float[4 * shape.labels()];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.fit(minibatch, predictions);
      vector = TestNetworks.vector(replica);
      replica.predict(minibatch.features(), minibatch.stepsOrNull(), 4, predictions);
    }
    new Dl4jEngine().writeArchive(global(model, vector), archive);

    InitialModel read = new Dl4jEngine().define(new ModelDefinition.Archive(archive, shape));

    assertThat(read.vector()).isEqualTo(vector);
    assertThat(ModelSerializer.restoreMultiLayerNetwork(archive.toFile(), true).params().length())
        .isEqualTo(model.spec().parameters());
    try (ModelReplica replica = TestNetworks.replica(read)) {
      float[] again = new float[predictions.length];
      replica.predict(minibatch.features(), minibatch.stepsOrNull(), 4, again);
      assertThat(again).isEqualTo(predictions);
    }
    assertThatThrownBy(() -> new Dl4jEngine().shapeOf(archive))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("the number of features");
  }

  @Test
  void aWrappedLayerTellsItsUpdater() throws IOException {
    InitialModel model =
        TestNetworks.define(StructuredNetworks.lastStep(), StructuredNetworks.LAST, directory);

    assertThat(new Dl4jEngine().describe(model.spec().kind(), model.spec().configuration()))
        .extracting(LayerDescription::updater)
        .containsExactly("Adam 0.01", "Adam 0.01");
  }

  private static GlobalModel global(InitialModel model, float[] vector) {
    return new GlobalModel(
        model.spec(),
        new ModelVersion(0, 1),
        1,
        vector,
        new FeatureStatistics(0),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  private static ExampleShape sequences(int width, int outputs, boolean labelPerStep) {
    return new ExampleShape(
        7 * width,
        outputs,
        Target.CLASSIFICATION,
        FeatureColumns.PLAIN,
        new ExampleStructure(7, labelPerStep));
  }

  private static String name(String input) {
    return input.substring(0, input.indexOf(':'));
  }

  private static int width(String input) {
    return Integer.parseInt(input.substring(input.indexOf(':') + 1));
  }

  /** Two inputs by {@code name:width}. The outputs are those of two inputs' network, or one. */
  private static ExampleShape named(String first, String second) {
    int one = width(first);
    int all = one + width(second);
    boolean image = first.startsWith("image");
    return new ExampleShape(
        all,
        image ? 4 : 5,
        Target.CLASSIFICATION,
        FeatureColumns.PLAIN,
        new ExampleStructure(
            0,
            false,
            List.of(
                new Input(name(first), new IndexRange(0, one)),
                new Input(name(second), new IndexRange(one, all))),
            image ? List.of() : StructuredNetworks.TWO.structure().outputs()));
  }

  private void refused(String json, ExampleShape shape, String... parts) {
    assertThatThrownBy(() -> TestNetworks.define(json, shape, directory))
        .isInstanceOf(InvalidModelException.class)
        .message()
        .contains(parts);
  }
}
