package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

final class RunningStatisticsTest {

  private static final ExampleShape SHAPE = new ExampleShape(12, 5, Target.CLASSIFICATION);

  /** Weights and biases of the convolution, gamma and beta. */
  private static final int BEFORE = 2 * 2 * 7 + 7 + 2 * 7;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areWhatBatchNormalizationKeepsOfTheBatches(boolean asLogarithm) throws IOException {
    InitialModel model = TestNetworks.define(json(asLogarithm), SHAPE, directory);

    assertThat(model.spec().runningStatistics())
        .containsExactly(
            new IndexRange(BEFORE, BEFORE + 7), new IndexRange(BEFORE + 7, BEFORE + 14));
    assertThat(model.spec().nonNegative().contains(new IndexRange(BEFORE + 7, BEFORE + 14)))
        .as("variances don't fall below zero, logarithms may")
        .isEqualTo(!asLogarithm);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      float[] first = TestNetworks.vector(replica);
      replica.fit(TestNetworks.examples(model.spec(), 8, new Random(1)), new float[8 * 5]);
      float[] next = TestNetworks.vector(replica);
      for (int i = BEFORE; i < BEFORE + 14; i++) {
        assertThat(next[i]).as("statistic %d", i - BEFORE).isNotEqualTo(first[i]);
      }
    }
  }

  @Test
  void otherNetworksHaveNone() throws IOException {
    InitialModel model =
        TestNetworks.define(TestNetworks.layeredJson(new Adam(0.01), 1), SHAPE, directory);

    assertThat(model.spec().runningStatistics()).isEmpty();
  }

  /** As an archive has it: DL4J reads from the names of parameters which of both is kept. */
  private static String json(boolean asLogarithm) {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(42)
            .updater(new Adam(0.01))
            .list()
            .layer(new ConvolutionLayer.Builder(2, 2).nOut(7).build())
            .layer(new BatchNormalization.Builder().useLogStd(asLogarithm).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(5)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(InputType.convolutionalFlat(4, 3, 1))
            .build();
    new MultiLayerNetwork(configuration).init();
    return configuration.toJson();
  }
}
