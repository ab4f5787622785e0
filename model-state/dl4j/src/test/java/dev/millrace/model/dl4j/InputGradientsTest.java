package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.InputGradients;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.exception.DL4JException;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayerWithBackprop;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationTanH;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Gradients of inputs, of all that DL4J's networks may begin with. */
final class InputGradientsTest {

  private static final ExampleShape TABLE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final int ROWS = 4;

  @TempDir private static Path directory;

  static Stream<Named<InitialModel>> models() throws Exception {
    ExampleShape images = new ExampleShape(36, 5, Target.CLASSIFICATION);
    List<Named<InitialModel>> models = new ArrayList<>();
    models.add(named("last step", StructuredNetworks.lastStep(), StructuredNetworks.LAST));
    models.add(named("pooled", StructuredNetworks.bothDirectionsPooled(), StructuredNetworks.LAST));
    models.add(named("each step", StructuredNetworks.eachStep(), StructuredNetworks.EACH));
    models.add(named("graph of steps", StructuredNetworks.graphOfSteps(), StructuredNetworks.EACH));
    models.add(named("two inputs", StructuredNetworks.twoInputs(), StructuredNetworks.TWO));
    models.add(named("input of two vertices", forked(), TABLE));
    models.add(named("images", ofImages(), images));
    models.add(named("normalized", normalized(), TABLE));
    models.add(named("frozen with a way back", frozen(true), TABLE));
    for (String layer : List.of("layer0", "layer1")) {
      InitialModel model = TestNetworks.define(deep(), TABLE, directory);
      models.add(Named.of("without " + layer, without(model, layer)));
    }
    return models.stream();
  }

  private static Named<InitialModel> named(String name, String json, ExampleShape shape)
      throws Exception {
    return Named.of(name, TestNetworks.define(json, shape, directory));
  }

  @ParameterizedTest
  @MethodSource("models")
  void areThoseOfTheLoss(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    assertThat(new Dl4jEngine().givesInputGradients(model.spec())).isTrue();
    Minibatch minibatch = StructuredNetworks.examples(model.spec().shape(), ROWS, random);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      InputGradients.verify(replica, minibatch, InputGradientsTest::loss, 25, random);
      for (int row = 0; row < ROWS; row++) {
        minibatch.weights()[row] = 0.5f + row;
      }
      InputGradients.verify(replica, minibatch, InputGradientsTest::loss, 25, random);
    }
  }

  /** Cross entropy of classes; of the numbers in {@link StructuredNetworks#TWO} squared errors. */
  private static double loss(Minibatch minibatch, float[] predictions, int row) {
    if (minibatch.shape().structure().outputs().isEmpty()) {
      return InputGradients.crossEntropy(minibatch, predictions, row);
    }
    double sum = 0;
    for (int i = row * 5; i < row * 5 + 5; i++) {
      double label = minibatch.labels()[i];
      double predicted = predictions[i];
      sum +=
          i < row * 5 + 3
              ? -label * Math.log(predicted)
              : (label - predicted) * (label - predicted) / 2;
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("models")
  void theStepIsTheSame(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    ExampleShape shape = model.spec().shape();
    try (ModelReplica telling = TestNetworks.replica(model);
        ModelReplica silent = TestNetworks.replica(model)) {
      for (int step = 0; step < 6; step++) {
        int rows = 1 + random.nextInt(ROWS);
        Minibatch minibatch = StructuredNetworks.examples(shape, rows, random);
        minibatch.weights()[0] = 1 + random.nextInt(2);
        float[] told = new float[rows * shape.labels()];
        float[] expected = new float[rows * shape.labels()];
        if (random.nextInt(3) > 0) {
          InputGradients.fit(telling, minibatch, told);
        } else {
          telling.fit(minibatch, told);
        }
        silent.fit(minibatch, expected);

        assertThat(told).isEqualTo(expected);
        assertThat(TestNetworks.vector(telling)).isEqualTo(TestNetworks.vector(silent));
      }
      assertThat(telling.steps()).isEqualTo(silent.steps());
    }
  }

  @Test
  void networksThatGradientsDontGoThroughAreRefused() throws Exception {
    refused(frozen(false), TABLE, "FrozenLayerWithBackprop");
    refused(StructuredNetworks.truncated(3), StructuredNetworks.EACH, "backpropType");
    refused(
        TestNetworks.embeddingJson(),
        new ExampleShape(1, 3, Target.CLASSIFICATION),
        "embedding layer");
  }

  private static void refused(String json, ExampleShape shape, String remedy) throws Exception {
    InitialModel model = TestNetworks.define(json, shape, directory);
    assertThat(new Dl4jEngine().givesInputGradients(model.spec())).isFalse();
    Minibatch minibatch = new Minibatch(shape, 1);
    float[] labels = new float[shape.labels()];
    labels[0] = 1;
    minibatch.add(new float[shape.features()], labels, 1, TestNetworks.PARTITION, 0);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      assertThatThrownBy(() -> InputGradients.fit(replica, minibatch, new float[labels.length]))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith("The engine dl4j can't give gradients")
          .hasMessageContaining(remedy);
      assertThat(TestNetworks.vector(replica)).isEqualTo(model.vector());
      assertThat(replica.steps()).isEqualTo(Steps.NONE);
    }
  }

  /** Archives are of the spec; nothing of how gradients are told is in them. */
  @ParameterizedTest
  @MethodSource("models")
  void archivesDontKnowOfThem(InitialModel model, TestInfo test) throws Exception {
    Random random = TestNetworks.random(test);
    Minibatch minibatch = StructuredNetworks.examples(model.spec().shape(), ROWS, random);
    float[] predictions = new float[ROWS * model.spec().shape().labels()];
    try (ModelReplica telling = TestNetworks.replica(model);
        ModelReplica silent = TestNetworks.replica(model)) {
      InputGradients.fit(telling, minibatch, predictions);
      silent.fit(minibatch, predictions);

      Map<String, byte[]> expected = archive(silent, "silent");
      Map<String, byte[]> entries = archive(telling, "telling");
      assertThat(entries).containsOnlyKeys(expected.keySet());
      entries.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
    }
  }

  private static Map<String, byte[]> archive(ModelReplica replica, String name) throws Exception {
    ModelSpec spec = replica.spec();
    Path file = directory.resolve(name + ".zip");
    new Dl4jEngine()
        .writeArchive(
            new GlobalModel(
                spec,
                new ModelVersion(0, 1),
                replica.steps().iteration(),
                TestNetworks.vector(replica),
                new FeatureStatistics(spec.shape().features()),
                new Ledger(),
                Measures.NONE,
                Lineage.NONE),
            file);
    return ZipEntries.read(file);
  }

  /** A network that fails behind its first layer, where the gradient would be asked for already. */
  @Test
  void afterAStepThatFailsTheReplicaIsWhatItWas(TestInfo test) throws Exception {
    Random random = TestNetworks.random(test);
    ModelSpec spec = TestNetworks.define(deep(), TABLE, directory).spec();
    Minibatch good = TestNetworks.examples(spec, ROWS, random);
    float[] predictions = new float[ROWS * 5];
    Choosy choosy = new Choosy();
    Network network = failing(choosy);
    network.init();
    try (ModelReplica replica = new Dl4jReplica(spec, network, () -> {})) {
      float[] vector = TestNetworks.vector(replica);
      String json = network.toJson();
      for (boolean back : new boolean[] {false, true}) {
        choosy.failsForward = !back;
        choosy.failsBackward = back;
        assertThatThrownBy(() -> InputGradients.fit(replica, good, predictions))
            .isInstanceOf(UnusableExamplesException.class);
        assertThat(TestNetworks.vector(replica)).isEqualTo(vector);
        assertThat(replica.steps()).isEqualTo(Steps.NONE);
      }
      choosy.failsBackward = false;
      assertThat(network.toJson()).isEqualTo(json);
      InputGradients.verify(replica, good, InputGradients::crossEntropy, 25, random);
    }
  }

  private static Network failing(Choosy choosy) {
    MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(deep());
    ((DenseLayer) configuration.getConf(1).getLayer()).setActivationFn(choosy);
    return new LayeredNetwork(configuration);
  }

  /** Fails when it is told to. */
  private static final class Choosy extends ActivationTanH {

    private static final long serialVersionUID = 1;

    private transient boolean failsForward;
    private transient boolean failsBackward;

    @Override
    public INDArray getActivation(INDArray in, boolean training) {
      fail(failsForward);
      return super.getActivation(in, training);
    }

    @Override
    public Pair<INDArray, INDArray> backprop(INDArray in, INDArray epsilon) {
      fail(failsBackward);
      return super.backprop(in, epsilon);
    }

    private static void fail(boolean fails) {
      if (fails) {
        throw new DL4JException("It won't");
      }
    }
  }

  private static InitialModel without(InitialModel model, String layer) {
    return new InitialModel(
        dev.millrace.model.freeze.FrozenLayers.in(new Dl4jEngine(), model.spec(), List.of(layer)),
        model.vector(),
        0,
        null);
  }

  private static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(new Adam(0.01))
        .l2(0.01)
        .activation(Activation.TANH);
  }

  private static DenseLayer dense(int in, int out) {
    return new DenseLayer.Builder().nIn(in).nOut(out).build();
  }

  private static OutputLayer output(int in) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(in)
        .nOut(5)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static String deep() {
    return builder()
        .list()
        .layer(dense(12, 9))
        .layer(dense(9, 7))
        .layer(output(7))
        .build()
        .toJson();
  }

  private static String normalized() {
    return builder()
        .list()
        .layer(new BatchNormalization.Builder().nIn(12).nOut(12).build())
        .layer(dense(12, 7))
        .layer(output(7))
        .build()
        .toJson();
  }

  private static String frozen(boolean withWayBack) {
    return builder()
        .list()
        .layer(
            withWayBack ? new FrozenLayerWithBackprop(dense(12, 9)) : new FrozenLayer(dense(12, 9)))
        .layer(output(9))
        .build()
        .toJson();
  }

  /** An input that two layers and a vertex take. */
  private static String forked() {
    return builder()
        .graphBuilder()
        .addInputs("in")
        .addLayer("left", dense(12, 12), "in")
        .addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "left", "in")
        .addLayer("right", dense(12, 6), "in")
        .addLayer("out", output(18), "sum", "right")
        .setOutputs("out")
        .setInputTypes(InputType.feedForward(12))
        .build()
        .toJson();
  }

  /** Square ones of four channels, which the network takes as they are. */
  private static String ofImages() {
    return builder()
        .list()
        .layer(new ConvolutionLayer.Builder(2, 2).nIn(4).nOut(3).build())
        .layer(dense(12, 7))
        .layer(output(7))
        .setInputType(InputType.convolutional(3, 3, 4))
        .build()
        .toJson();
  }
}
