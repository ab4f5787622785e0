package dev.millrace.job.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.EmbeddingLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A network of one feature, the number of a word, and three classes. */
public final class EmbeddingNetwork {

  /** How many words it knows. */
  public static final int WORDS = 10;

  private EmbeddingNetwork() {}

  /** Writes its configuration, for {@code model.configuration}. */
  public static Path write(Path directory) throws IOException {
    String json =
        new NeuralNetConfiguration.Builder()
            .seed(42)
            .updater(new Sgd(0.1))
            .list()
            .layer(new EmbeddingLayer.Builder().nIn(WORDS).nOut(4).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(4)
                    .nOut(3)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build()
            .toJson();
    return Files.writeString(directory.resolve("embedding.json"), json);
  }
}
