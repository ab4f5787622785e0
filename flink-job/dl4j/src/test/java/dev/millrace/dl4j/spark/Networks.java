package dev.millrace.dl4j.spark;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import programs.DrawnDigits;

/** Networks of tests. */
final class Networks {

  private Networks() {}

  /** Classes of drawn digits. */
  static MultiLayerNetwork perceptron() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            builder()
                .list()
                .layer(dense(DrawnDigits.PIXELS, 32))
                .layer(classes(32, DrawnDigits.CLASSES))
                .build());
    network.init();
    return network;
  }

  /** Two classes for each step of sequences of three numbers. */
  static MultiLayerNetwork sequences() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            builder()
                .list()
                .layer(new LSTM.Builder().nIn(3).nOut(5).activation(Activation.TANH).build())
                .layer(
                    new RnnOutputLayer.Builder(LossFunction.MCXENT)
                        .nIn(5)
                        .nOut(2)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    return network;
  }

  /** Two inputs of three and two numbers, two classes and one number. */
  static ComputationGraph graph() {
    ComputationGraph network =
        new ComputationGraph(
            builder()
                .graphBuilder()
                .addInputs("a", "b")
                .addLayer("hidden", dense(5, 8), "a", "b")
                .addLayer("classes", classes(8, 2), "hidden")
                .addLayer(
                    "number",
                    new OutputLayer.Builder(LossFunction.MSE)
                        .nIn(8)
                        .nOut(1)
                        .activation(Activation.IDENTITY)
                        .build(),
                    "hidden")
                .setOutputs("classes", "number")
                .build());
    network.init();
    return network;
  }

  private static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(5e-3));
  }

  private static DenseLayer dense(int in, int out) {
    return new DenseLayer.Builder().nIn(in).nOut(out).activation(Activation.TANH).build();
  }

  private static OutputLayer classes(int in, int out) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(in)
        .nOut(out)
        .activation(Activation.SOFTMAX)
        .build();
  }
}
