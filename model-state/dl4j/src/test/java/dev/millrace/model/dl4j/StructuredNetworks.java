package dev.millrace.model.dl4j;

import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.GravesLSTM;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.Bidirectional;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks of sequences and of several arrays, and examples for them. */
final class StructuredNetworks {

  static final int STEPS = 7;
  static final int WIDTH = 3;
  static final int CLASSES = 4;

  /** A class for each sequence. */
  static final ExampleShape LAST = sequences(false);

  /** A class for each step. */
  static final ExampleShape EACH = sequences(true);

  /** Two inputs; a class of three, and two numbers. */
  static final ExampleShape TWO =
      new ExampleShape(
          12,
          5,
          Target.CLASSIFICATION,
          FeatureColumns.PLAIN,
          new ExampleStructure(
              0,
              false,
              List.of(
                  new Input("user", new IndexRange(0, 4)),
                  new Input("item", new IndexRange(4, 12))),
              List.of(
                  new Output("kind", new IndexRange(0, 3), Target.CLASSIFICATION),
                  new Output("amount", new IndexRange(3, 5), Target.REGRESSION))));

  private StructuredNetworks() {}

  private static ExampleShape sequences(boolean labelPerStep) {
    return new ExampleShape(
        STEPS * WIDTH,
        CLASSES,
        Target.CLASSIFICATION,
        FeatureColumns.PLAIN,
        new ExampleStructure(STEPS, labelPerStep));
  }

  private static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder().seed(42).updater(new Adam(0.01));
  }

  private static LSTM lstm() {
    return new LSTM.Builder().nOut(5).activation(Activation.TANH).build();
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static RnnOutputLayer outputOfSteps() {
    return new RnnOutputLayer.Builder(LossFunction.MCXENT)
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  static String lastStep() {
    return builder()
        .list()
        .layer(new LastTimeStep(lstm()))
        .layer(output())
        .setInputType(InputType.recurrent(WIDTH))
        .build()
        .toJson();
  }

  static String bothDirectionsPooled() {
    return builder()
        .list()
        .layer(new Bidirectional(Bidirectional.Mode.CONCAT, lstm()))
        .layer(new GlobalPoolingLayer.Builder(PoolingType.AVG).build())
        .layer(output())
        .setInputType(InputType.recurrent(WIDTH))
        .build()
        .toJson();
  }

  @SuppressWarnings("deprecation") // People have them.
  static String eachStep() {
    return builder()
        .list()
        .layer(new GravesLSTM.Builder().nOut(5).activation(Activation.TANH).build())
        .layer(outputOfSteps())
        .setInputType(InputType.recurrent(WIDTH))
        .build()
        .toJson();
  }

  /** As {@link #eachStep}, by truncated backpropagation through so many steps. */
  static String truncated(int segment) {
    return builder()
        .list()
        .layer(lstm())
        .layer(outputOfSteps())
        .setInputType(InputType.recurrent(WIDTH))
        .backpropType(BackpropType.TruncatedBPTT)
        .tBPTTLength(segment)
        .build()
        .toJson();
  }

  static String graphOfSteps() {
    return builder()
        .graphBuilder()
        .addInputs("in")
        .addLayer("lstm", lstm(), "in")
        .addLayer("out", outputOfSteps(), "lstm")
        .setOutputs("out")
        .setInputTypes(InputType.recurrent(WIDTH))
        .build()
        .toJson();
  }

  /** The network names its inputs and outputs in another order than the examples. */
  static String twoInputs() {
    return builder()
        .graphBuilder()
        .addInputs("item", "user")
        .addLayer("left", dense(), "user")
        .addLayer("right", dense(), "item")
        .addVertex("both", new MergeVertex(), "left", "right")
        .addLayer(
            "amount",
            new OutputLayer.Builder(LossFunction.MSE)
                .nOut(2)
                .activation(Activation.IDENTITY)
                .build(),
            "both")
        .addLayer(
            "kind",
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build(),
            "both")
        .setOutputs("amount", "kind")
        .setInputTypes(InputType.feedForward(8), InputType.feedForward(4))
        .build()
        .toJson();
  }

  /** The first input is an image of two channels, 2 pixels high and 3 wide. */
  static String imageAndRow() {
    return builder()
        .graphBuilder()
        .addInputs("image", "row")
        .addLayer(
            "convolution",
            new ConvolutionLayer.Builder(2, 2).nOut(3).activation(Activation.RELU).build(),
            "image")
        .addLayer("dense", dense(), "row")
        .addLayer("flat", dense(), "convolution")
        .addVertex("both", new MergeVertex(), "flat", "dense")
        .addLayer("out", output(), "both")
        .setOutputs("out")
        .setInputTypes(InputType.convolutionalFlat(2, 3, 2), InputType.feedForward(4))
        .build()
        .toJson();
  }

  private static DenseLayer dense() {
    return new DenseLayer.Builder().nOut(6).activation(Activation.TANH).build();
  }

  /** Random examples; sequences of any length, with zeros behind them. */
  static Minibatch examples(ExampleShape shape, int rows, Random random) {
    Minibatch minibatch = new Minibatch(shape, rows);
    ExampleStructure structure = shape.structure();
    for (int row = 0; row < rows; row++) {
      int steps = structure.isSequence() ? 1 + random.nextInt(structure.steps()) : 0;
      float[] features = new float[shape.features()];
      for (int i = 0; i < Math.max(1, steps) * shape.width(); i++) {
        features[i] = (float) random.nextGaussian();
      }
      float[] labels = new float[shape.labels()];
      for (int step = 0; step < (structure.labelPerStep() ? steps : 1); step++) {
        label(shape, labels, step * shape.outputs(), random);
      }
      minibatch.add(features, labels, new String[0], steps, 1, TestNetworks.PARTITION, row);
    }
    return minibatch;
  }

  private static void label(ExampleShape shape, float[] labels, int at, Random random) {
    if (shape.structure().outputs().isEmpty()) {
      labels[at + random.nextInt(shape.outputs())] = 1;
      return;
    }
    labels[at + random.nextInt(3)] = 1;
    labels[at + 3] = random.nextFloat();
    labels[at + 4] = -random.nextFloat();
  }
}
