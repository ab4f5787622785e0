package dev.millrace.keras;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.keras.testing.KerasModelFile;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelImporter;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.ModelImport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.deeplearning4j.nn.modelimport.keras.KerasModelImport;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** A model is written as Keras writes it, imported, and started from as by a job. */
@DisabledOnOs(
    value = OS.MAC,
    architectures = "aarch64",
    disabledReason = "JavaCPP has no HDF5 for it")
final class KerasImporterTest {

  private static final float[][] ROWS = {{1, 2}, {-0.5f, 0.25f}, {3, -1}};

  @TempDir private Path directory;

  private final ModelEngine engine = ModelEngine.named("dl4j");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void predictsWhatItsWeightsSay(boolean functional) throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(functional, "softmax")
        .compiled(KerasNets.CROSSENTROPY, "Adam", KerasNets.ADAM)
        .write(keras);

    InitialModel model = imported(keras);

    assertThat(model.spec().shape()).isEqualTo(new ExampleShape(2, 2, Target.CLASSIFICATION));
    try (ModelReplica replica = replica(model)) {
      for (float[] row : ROWS) {
        assertClose(predict(replica, row), KerasNets.softmax(KerasNets.logits(row)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void takesImagesAsRowsWithTheirChannelsLast(boolean functional) throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.convolutional(functional, new Random(3)).write(keras);

    InitialModel model = imported(keras);

    assertThat(model.spec().shape()).isEqualTo(new ExampleShape(96, 3, Target.CLASSIFICATION));
    float[] pixels = KerasNets.weights(96, new Random(4));
    INDArray image = Nd4j.createFromArray(pixels).reshape(1, 6, 8, 2);
    INDArray expected =
        functional
            ? KerasModelImport.importKerasModelAndWeights(keras.toString()).outputSingle(image)
            : KerasModelImport.importKerasSequentialModelAndWeights(keras.toString()).output(image);
    try (ModelReplica replica = replica(model)) {
      assertThat(predict(replica, pixels)).isEqualTo(expected.dup('c').data().asFloat());
      fit(replica, pixels, 2);
      assertThat(predict(replica, pixels)[2]).isGreaterThan(expected.getFloat(2));
    }
  }

  @Test
  void learnsAsDl4jsOwnImport() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(false, "softmax")
        .compiled(KerasNets.CROSSENTROPY, "SGD", KerasNets.SGD)
        .write(keras);
    MultiLayerNetwork plain =
        KerasModelImport.importKerasSequentialModelAndWeights(keras.toString(), true);
    InitialModel model = imported(keras);

    try (ModelReplica replica = replica(model)) {
      for (int i = 0; i < ROWS.length; i++) {
        plain.fit(
            Nd4j.createFromArray(new float[][] {ROWS[i]}),
            Nd4j.createFromArray(new float[][] {{1 - i % 2, i % 2}}));
        fit(replica, ROWS[i], i % 2);
      }
      float[] learned = new float[model.spec().parameters()];
      replica.read(0, learned, 0, learned.length);
      assertThat(learned).isNotEqualTo(model.vector());
      assertThat(learned).containsExactly(plain.params().data().asFloat(), within(1e-6f));
    }
  }

  @Test
  void makesProbabilitiesOfLogitsAndTakesLabelsAsVectors() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(true, "linear")
        .compiled(
            "{\"class_name\": \"SparseCategoricalCrossentropy\", \"config\":"
                + " {\"name\": \"sparse_categorical_crossentropy\", \"from_logits\": true}}",
            "Adam",
            KerasNets.ADAM)
        .write(keras);

    InitialModel model = imported(keras);

    assertThat(model.spec().shape().target()).isEqualTo(Target.CLASSIFICATION);
    try (ModelReplica replica = replica(model)) {
      assertClose(predict(replica, ROWS[0]), KerasNets.softmax(KerasNets.logits(ROWS[0])));
    }
  }

  @Test
  void anActivationOfItsOwnIsPartOfTheOutput() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(false, "linear")
        .other("Activation", "probabilities", Map.of("activation", "softmax"))
        .compiled(KerasNets.CROSSENTROPY, "Adam", KerasNets.ADAM)
        .write(keras);

    InitialModel model = imported(keras);

    try (ModelReplica replica = replica(model)) {
      assertClose(predict(replica, ROWS[0]), KerasNets.softmax(KerasNets.logits(ROWS[0])));
    }
  }

  @Test
  void numbersStayNumbers() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(false, "linear").compiled("\"mse\"", "SGD", KerasNets.SGD).write(keras);

    InitialModel model = imported(keras);

    assertThat(model.spec().shape()).isEqualTo(new ExampleShape(2, 2, Target.REGRESSION));
    try (ModelReplica replica = replica(model)) {
      assertClose(predict(replica, ROWS[2]), KerasNets.logits(ROWS[2]));
    }
  }

  @Test
  void weightsDecayAsInKeras() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(false, "linear")
        .regularized("{\"class_name\": \"L2\", \"config\": {\"l2\": 0.25}}")
        .compiled("\"mse\"", "SGD", KerasNets.SGD)
        .write(keras);
    InitialModel model = imported(keras);

    try (ModelReplica replica = replica(model)) {
      // Its prediction is right, so there is nothing to learn but smaller weights.
      float[] right = predict(replica, ROWS[0]);
      Minibatch one = new Minibatch(model.spec().shape(), 1);
      one.add(ROWS[0], right, 1, new Partition("", 0), 0);
      replica.fit(one, new float[2]);

      float[] learned = new float[1];
      replica.read(0, learned, 0, 1);
      assertThat(learned[0])
          .isCloseTo(KerasNets.HIDDEN[0][0] * (1 - 0.1f * 2 * 0.25f), within(1e-6f));
    }
  }

  @Test
  void theUpdaterHasTheOptimizersSettings() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasNets.dense(false, "softmax")
        .compiled(KerasNets.CROSSENTROPY, "Custom>Adam", KerasNets.ADAM)
        .write(keras);

    assertThat(imported(keras).spec().configuration())
        .contains("\"@class\" : \"org.nd4j.linalg.learning.config.Adam\"")
        .contains("\"learningRate\" : 0.002", "\"beta1\" : 0.8", "\"beta2\" : 0.99");
  }

  /** Keras' tutorials begin so: Flatten of an image, then dense layers. */
  @Test
  void flattensWhatIsFlatAlready() throws Exception {
    Path keras = directory.resolve("model.h5");
    KerasModelFile.of(false, 2, 1)
        .flatten("flat")
        .dense("hidden", "relu", KerasNets.HIDDEN, KerasNets.HIDDEN_BIAS)
        .dense("out", "softmax", KerasNets.OUT, KerasNets.OUT_BIAS)
        .compiled(KerasNets.CROSSENTROPY, "Adam", KerasNets.ADAM)
        .write(keras);

    InitialModel model = imported(keras);

    try (ModelReplica replica = replica(model)) {
      fit(replica, ROWS[1], 1);
    }
    try (ModelReplica replica = replica(model)) {
      assertClose(predict(replica, ROWS[0]), KerasNets.softmax(KerasNets.logits(ROWS[0])));
    }
  }

  private InitialModel imported(Path keras) throws Exception {
    ModelImporter importer = ModelImporter.find().orElseThrow();
    Path archive = directory.resolve("model.zip");
    ModelImport made = ModelImport.run(importer, keras, archive, false);
    assertThat(made.bytes()).isEqualTo(Files.size(archive));
    // Who scores or evaluates with it needn't say what examples look like.
    assertThat(engine.shapeOf(archive)).isEqualTo(made.spec().shape());
    return engine.define(new ModelDefinition.Archive(archive, made.spec().shape()));
  }

  private ModelReplica replica(InitialModel model) {
    ModelReplica replica = engine.build(model.spec(), DeviceRequest.guest());
    replica.write(0, model.vector(), 0, model.vector().length);
    return replica;
  }

  private static float[] predict(ModelReplica replica, float[] row) {
    float[] predictions = new float[replica.spec().shape().outputs()];
    replica.predict(row, 1, predictions);
    return predictions;
  }

  private static void fit(ModelReplica replica, float[] row, int label) {
    ExampleShape shape = replica.spec().shape();
    float[] labels = new float[shape.outputs()];
    labels[label] = 1;
    Minibatch one = new Minibatch(shape, 1);
    one.add(row, labels, 1, new Partition("", 0), 0);
    replica.fit(one, new float[shape.outputs()]);
  }

  private static void assertClose(float[] actual, double[] expected) {
    assertThat(actual).hasSize(expected.length);
    for (int i = 0; i < actual.length; i++) {
      assertThat(actual[i]).isCloseTo((float) expected[i], within(1e-6f));
    }
  }
}
