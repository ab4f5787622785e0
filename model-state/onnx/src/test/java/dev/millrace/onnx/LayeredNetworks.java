package dev.millrace.onnx;

import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration.ListBuilder;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.EmbeddingLayer;
import org.deeplearning4j.nn.conf.layers.EmbeddingSequenceLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.GravesLSTM;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** DL4J's networks of layers, of random sizes, as JSON. */
final class LayeredNetworks {

  /** All that are written but softmax, which is an output's. */
  static final List<Activation> ACTIVATIONS =
      List.of(
          Activation.RELU,
          Activation.RELU6,
          Activation.LEAKYRELU,
          Activation.ELU,
          Activation.SELU,
          Activation.SIGMOID,
          Activation.HARDSIGMOID,
          Activation.TANH,
          Activation.HARDTANH,
          Activation.SOFTPLUS,
          Activation.SOFTSIGN,
          Activation.SWISH,
          Activation.CUBE,
          Activation.IDENTITY);

  private LayeredNetworks() {}

  static ListBuilder layers(Layer... layers) {
    ListBuilder list = new NeuralNetConfiguration.Builder().seed(1).list();
    for (Layer layer : layers) {
      list.layer(layer);
    }
    return list;
  }

  private static String json(ListBuilder layers, InputType input) {
    MultiLayerConfiguration configuration = layers.setInputType(input).build();
    return configuration.toJson();
  }

  /** An output layer for classes. */
  static OutputLayer output(int classes) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nOut(classes)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static RnnOutputLayer outputOfSteps(int classes) {
    return new RnnOutputLayer.Builder(LossFunction.MCXENT)
        .nOut(classes)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static int size(Random random) {
    return 2 + random.nextInt(9);
  }

  private static DenseLayer dense(Random random, Activation activation) {
    return new DenseLayer.Builder().nOut(size(random)).activation(activation).build();
  }

  /** A dense layer with or without bias. */
  static String activation(int features, Activation activation, Random random) {
    return json(
        layers(
            new DenseLayer.Builder()
                .nOut(size(random))
                .activation(activation)
                .hasBias(random.nextBoolean())
                .build(),
            output(3)),
        InputType.feedForward(features));
  }

  /** With activations and dropout as layers of their own, and a loss in the place of an output. */
  static String apart(int features, int classes, Random random) {
    return json(
        layers(
            dense(random, Activation.IDENTITY),
            new ActivationLayer(Activation.LEAKYRELU),
            new DropoutLayer(0.5),
            new DenseLayer.Builder().nOut(classes).activation(Activation.IDENTITY).build(),
            new LossLayer.Builder(LossFunction.MCXENT).activation(Activation.SOFTMAX).build()),
        InputType.feedForward(features));
  }

  static String batchNormalization(int features, boolean locked, boolean logarithm, Random random) {
    return json(
        layers(
            dense(random, Activation.RELU),
            new BatchNormalization.Builder()
                .lockGammaBeta(locked)
                .gamma(1.5)
                .beta(0.25)
                .eps(1e-3)
                .useLogStd(logarithm)
                .build(),
            output(4)),
        InputType.feedForward(features));
  }

  static ConvolutionLayer.Builder convolution(int height, int width, Random random) {
    return new ConvolutionLayer.Builder(height, width)
        .nOut(size(random))
        .activation(Activation.RELU);
  }

  private static SubsamplingLayer.Builder pooling(SubsamplingLayer.PoolingType type) {
    return new SubsamplingLayer.Builder(type);
  }

  /** Windows that end with the image, or in padding of their own. */
  static String sameMode(int height, int width, int channels, Random random) {
    return json(
        layers(
            convolution(3, 2, random)
                .stride(2, 1)
                .convolutionMode(ConvolutionMode.Same)
                .hasBias(false)
                .build(),
            new BatchNormalization(),
            pooling(SubsamplingLayer.PoolingType.MAX)
                .kernelSize(2, 3)
                .stride(2, 2)
                .convolutionMode(ConvolutionMode.Same)
                .build(),
            convolution(2, 2, random).convolutionMode(ConvolutionMode.Same).build(),
            pooling(SubsamplingLayer.PoolingType.AVG)
                .kernelSize(3, 3)
                .stride(2, 2)
                .convolutionMode(ConvolutionMode.Same)
                .build(),
            dense(random, Activation.TANH),
            output(3)),
        InputType.convolutionalFlat(height, width, channels));
  }

  /** Windows with padding, strides and gaps that are given. */
  static String padded(int height, int width, int channels, boolean counted, Random random) {
    return json(
        layers(
            convolution(3, 3, random).padding(1, 2).dilation(2, 1).build(),
            pooling(SubsamplingLayer.PoolingType.AVG)
                .kernelSize(3, 2)
                .stride(2, 1)
                .padding(1, 1)
                .avgPoolIncludePadInDivisor(counted)
                .build(),
            pooling(SubsamplingLayer.PoolingType.MAX)
                .kernelSize(2, 2)
                .stride(1, 2)
                .padding(1, 0)
                .build(),
            new ActivationLayer(Activation.SIGMOID),
            pooling(SubsamplingLayer.PoolingType.PNORM)
                .kernelSize(2, 2)
                .stride(1, 1)
                .pnorm(2)
                .build(),
            output(3)),
        InputType.convolutionalFlat(height, width, channels));
  }

  static String globalPooling(int side, PoolingType type, Random random) {
    return json(
        layers(
            convolution(3, 3, random).build(),
            new GlobalPoolingLayer.Builder(type).build(),
            output(3)),
        InputType.convolutionalFlat(side, side, 1));
  }

  /** Without a preprocessor that says the image's sizes. */
  static String square(int side, int channels, CNN2DFormat format, Random random) {
    return json(
        layers(
            convolution(3, 2, random).dataFormat(format).build(),
            new BatchNormalization.Builder().dataFormat(format).build(),
            pooling(SubsamplingLayer.PoolingType.MAX).kernelSize(2, 2).dataFormat(format).build(),
            dense(random, Activation.RELU),
            output(3)),
        InputType.convolutional(side, side, channels, format));
  }

  private static LSTM lstm(Random random, Activation activation, Activation gates) {
    return new LSTM.Builder()
        .nOut(size(random))
        .activation(activation)
        .gateActivationFunction(gates)
        .build();
  }

  static String lastStep(int width, Random random) {
    return json(
        layers(
            lstm(random, Activation.SOFTSIGN, Activation.HARDSIGMOID),
            new LastTimeStep(lstm(random, Activation.TANH, Activation.SIGMOID)),
            output(4)),
        InputType.recurrent(width));
  }

  /** A number for each sequence. */
  static String lastStepOfNumber(int width, Random random) {
    return json(
        layers(
            new LastTimeStep(lstm(random, Activation.TANH, Activation.SIGMOID)),
            new OutputLayer.Builder(LossFunction.MSE)
                .nOut(1)
                .activation(Activation.IDENTITY)
                .build()),
        InputType.recurrent(width));
  }

  /** With peepholes. */
  @SuppressWarnings("deprecation") // People have them.
  static String eachStep(int width, Random random) {
    return json(
        layers(
            new GravesLSTM.Builder().nOut(size(random)).activation(Activation.TANH).build(),
            outputOfSteps(4)),
        InputType.recurrent(width));
  }

  static String pooledSteps(int width, PoolingType type, Random random) {
    return json(
        layers(
            lstm(random, Activation.RELU, Activation.SIGMOID),
            new GlobalPoolingLayer.Builder(type).build(),
            output(4)),
        InputType.recurrent(width));
  }

  /** Layers of rows between layers of steps. */
  static String denseSteps(int width, Random random) {
    return json(
        layers(
            dense(random, Activation.TANH),
            lstm(random, Activation.IDENTITY, Activation.SIGMOID),
            dense(random, Activation.RELU),
            outputOfSteps(4)),
        InputType.recurrent(width));
  }

  static String embeddedSteps(int things, Random random) {
    return json(
        layers(
            new EmbeddingSequenceLayer.Builder()
                .nIn(things)
                .nOut(size(random))
                .hasBias(true)
                .activation(Activation.TANH)
                .build(),
            new LastTimeStep(lstm(random, Activation.TANH, Activation.SIGMOID)),
            output(4)),
        InputType.recurrent(1));
  }

  static String embedded(int things, Random random) {
    return layers(
            new EmbeddingLayer.Builder()
                .nIn(things)
                .nOut(5)
                .hasBias(random.nextBoolean())
                .activation(Activation.TANH)
                .build(),
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(5)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build())
        .build()
        .toJson();
  }
}
