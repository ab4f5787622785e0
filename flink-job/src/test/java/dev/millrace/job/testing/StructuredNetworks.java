package dev.millrace.job.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks of sequences and of two inputs and outputs, as docs/internals/models.md makes them. */
public final class StructuredNetworks {

  private StructuredNetworks() {}

  /** A class for a sequence of steps of three values. */
  public static String sequence() {
    return builder(new Adam(0.01))
        .list()
        .layer(new LastTimeStep(lstm()))
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(2)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(InputType.recurrent(3))
        .build()
        .toJson();
  }

  /** A class for each step, learned by truncated backpropagation through three of them. */
  public static String truncated() {
    return builder(new Nesterovs(0.05, 0.9))
        .list()
        .layer(lstm())
        .layer(
            new RnnOutputLayer.Builder(LossFunction.MCXENT)
                .nOut(2)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(InputType.recurrent(3))
        .backpropType(BackpropType.TruncatedBPTT)
        .tBPTTLength(3)
        .build()
        .toJson();
  }

  /** A user and an item; what kind of purchase follows, and of which amount. */
  public static String twoInputs() {
    return builder(new Adam(0.01))
        .graphBuilder()
        .addInputs("user", "item")
        .addLayer("of-user", dense(), "user")
        .addLayer("of-item", dense(), "item")
        .addVertex("both", new MergeVertex(), "of-user", "of-item")
        .addLayer(
            "kind",
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build(),
            "both")
        .addLayer(
            "amount",
            new OutputLayer.Builder(LossFunction.MSE)
                .nOut(1)
                .activation(Activation.IDENTITY)
                .build(),
            "both")
        .setOutputs("kind", "amount")
        .setInputTypes(InputType.feedForward(4), InputType.feedForward(6))
        .build()
        .toJson();
  }

  private static NeuralNetConfiguration.Builder builder(IUpdater updater) {
    return new NeuralNetConfiguration.Builder().seed(1).updater(updater);
  }

  private static LSTM lstm() {
    return new LSTM.Builder().nOut(8).activation(Activation.TANH).build();
  }

  private static DenseLayer dense() {
    return new DenseLayer.Builder().nOut(8).activation(Activation.RELU).build();
  }

  /** Writes a configuration, for {@code model.configuration}. */
  public static Path write(String json, Path directory) throws IOException {
    Files.createDirectories(directory);
    return Files.writeString(directory.resolve("network.json"), json + "\n");
  }
}
