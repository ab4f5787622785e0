package dev.millrace.model.dl4j.layers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** Networks of quick layers learn, bit for bit, what those of DL4J's learn. */
class QuickLayersTest {

  private static final int CLASSES = 3;
  private static final int STEPS = 4;
  private static final List<Activation> ACTIVATIONS =
      List.of(Activation.IDENTITY, Activation.RELU, Activation.TANH, Activation.LEAKYRELU);

  @RepeatedTest(20)
  void networksOfImagesLearnTheSame(TestInfo info) {
    Random random = random(info);
    int channels = 1 + random.nextInt(3);
    int height = 8 + random.nextInt(5);
    int width = 8 + random.nextInt(5);
    boolean flat = random.nextBoolean();
    NeuralNetConfiguration.ListBuilder layers =
        settings(random).list().layer(convolution(random)).layer(convolution(random));
    if (random.nextBoolean()) {
      layers.layer(
          new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
              .kernelSize(2, 2)
              .stride(1, 1)
              .build());
    }
    if (random.nextBoolean()) {
      layers.layer(new BatchNormalization());
    }
    MultiLayerConfiguration configuration =
        layers
            .layer(convolution(random))
            .layer(dense(random))
            .layer(output())
            .setInputType(
                flat
                    ? InputType.convolutionalFlat(height, width, channels)
                    : InputType.convolutional(height, width, channels))
            .build();

    learnTheSame(
        configuration,
        rows ->
            flat
                ? new long[] {rows, (long) channels * height * width}
                : new long[] {rows, channels, height, width},
        random);
  }

  @RepeatedTest(10)
  void networksOfRowsLearnTheSame(TestInfo info) {
    Random random = random(info);
    int features = 1 + random.nextInt(9);
    MultiLayerConfiguration configuration =
        settings(random)
            .list()
            .layer(dense(random))
            .layer(dense(random))
            .layer(output())
            .setInputType(InputType.feedForward(features))
            .build();

    learnTheSame(configuration, rows -> new long[] {rows, features}, random);
  }

  @RepeatedTest(5)
  void graphsLearnTheSame(TestInfo info) {
    Random random = random(info);
    ConvolutionLayer.Builder same =
        new ConvolutionLayer.Builder(3, 3).nOut(2).convolutionMode(ConvolutionMode.Same);
    ComputationGraphConfiguration configuration =
        settings(random)
            .graphBuilder()
            .addInputs("in")
            .addLayer("a", same.build(), "in")
            .addLayer("b", same.build(), "a")
            .addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "a", "b")
            .addLayer("c", dense(random), "sum")
            .addLayer("out", output(), "c")
            .setOutputs("out")
            .setInputTypes(InputType.convolutional(6, 7, 2))
            .build();
    ComputationGraph plain = new ComputationGraph(configuration.clone());
    plain.init();
    ComputationGraph quick = new ComputationGraph(configuration.clone());
    quick.init();
    quick.setParams(plain.params());
    QuickLayers.in(quick);
    assertThat(quick.getLayers()).hasAtLeastOneElementOfType(QuickConvolution.class);
    assertThat(quick.getVertex("a").getLayer()).isInstanceOf(QuickConvolution.class);

    for (int step = 0; step < STEPS; step++) {
      DataSet data = data(new long[] {1 + random.nextInt(5), 2, 6, 7}, random);
      long seed = random.nextLong();
      Nd4j.getRandom().setSeed(seed);
      plain.fit(data.copy());
      Nd4j.getRandom().setSeed(seed);
      quick.fit(data.copy());

      assertThat(quick.outputSingle(data.getFeatures()))
          .isEqualTo(plain.outputSingle(data.getFeatures()));
    }
    assertThat(quick.params()).isEqualTo(plain.params());
  }

  @Test
  void otherLayersStay() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            settings(new Random(1))
                .list()
                .layer(new DenseLayer.Builder().nOut(3).hasLayerNorm(true).build())
                .layer(new LossLayer.Builder(LossFunctions.LossFunction.MSE).build())
                .setInputType(InputType.feedForward(2))
                .build());
    network.init();
    Layer[] before = network.getLayers().clone();

    QuickLayers.in(network);

    assertThat(network.getLayers()).isEqualTo(before);
  }

  /** Random numbers of a new seed each time, which is printed. */
  private static Random random(TestInfo info) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", info.getDisplayName(), seed);
    return new Random(seed);
  }

  private interface Shape {

    long[] of(int rows);
  }

  private static void learnTheSame(
      MultiLayerConfiguration configuration, Shape shape, Random random) {
    MultiLayerNetwork plain = new MultiLayerNetwork(configuration.clone());
    plain.init();
    MultiLayerNetwork quick = new MultiLayerNetwork(configuration.clone());
    quick.init();
    quick.setParams(plain.params());
    QuickLayers.in(quick);
    assertThat(quick.getLayers())
        .anyMatch(layer -> layer instanceof QuickDense || layer instanceof QuickConvolution);

    for (int step = 0; step < STEPS; step++) {
      DataSet data = data(shape.of(1 + random.nextInt(5)), random);
      long seed = random.nextLong();
      Nd4j.getRandom().setSeed(seed);
      plain.fit(data.copy());
      Nd4j.getRandom().setSeed(seed);
      quick.fit(data.copy());

      assertThat(quick.params().data().asFloat()).isEqualTo(plain.params().data().asFloat());
      assertThat(quick.output(data.getFeatures())).isEqualTo(plain.output(data.getFeatures()));
    }
    assertThat(quick.getUpdater().getStateViewArray())
        .isEqualTo(plain.getUpdater().getStateViewArray());
  }

  private static NeuralNetConfiguration.Builder settings(Random random) {
    NeuralNetConfiguration.Builder settings =
        new NeuralNetConfiguration.Builder()
            .seed(random.nextLong())
            .weightInit(WeightInit.XAVIER)
            .updater(new Nesterovs(0.05, 0.9));
    return random.nextBoolean() ? settings.l2(0.01) : settings;
  }

  private static ConvolutionLayer convolution(Random random) {
    ConvolutionLayer.Builder layer =
        new ConvolutionLayer.Builder(1 + random.nextInt(3), 1 + random.nextInt(3))
            .stride(1 + random.nextInt(2), 1)
            .nOut(1 + random.nextInt(4))
            .activation(activation(random))
            .hasBias(random.nextInt(4) > 0)
            .dropOut(random.nextInt(4) > 0 ? 0 : 0.5);
    return switch (random.nextInt(3)) {
      case 0 -> layer.convolutionMode(ConvolutionMode.Same).build();
      case 1 -> layer.padding(2, 1).convolutionMode(ConvolutionMode.Truncate).build();
      default -> layer.dilation(1, 2).padding(1, 2).build();
    };
  }

  private static DenseLayer dense(Random random) {
    return new DenseLayer.Builder()
        .nOut(1 + random.nextInt(7))
        .activation(activation(random))
        .hasBias(random.nextInt(4) > 0)
        .dropOut(random.nextInt(4) > 0 ? 0 : 0.5)
        .build();
  }

  private static Activation activation(Random random) {
    return ACTIVATIONS.get(random.nextInt(ACTIVATIONS.size()));
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder().nOut(CLASSES).activation(Activation.SOFTMAX).build();
  }

  private static DataSet data(long[] shape, Random random) {
    Nd4j.getRandom().setSeed(random.nextLong());
    INDArray labels = Nd4j.zeros(DataType.FLOAT, shape[0], CLASSES);
    for (int row = 0; row < shape[0]; row++) {
      labels.putScalar(row, random.nextInt(CLASSES), 1);
    }
    return new DataSet(Nd4j.randn(DataType.FLOAT, shape), labels);
  }
}
