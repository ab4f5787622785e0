package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.EmbeddingSequenceLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Sequences of numbers of words, learned by truncated backpropagation through two steps. */
final class SequenceEmbeddingTest {

  private static final int WORDS = 10;
  private static final ExampleShape SHAPE =
      new ExampleShape(
          4, 3, Target.CLASSIFICATION, FeatureColumns.PLAIN, new ExampleStructure(4, true));

  @TempDir private Path directory;

  @Test
  void aFailureInALaterSegmentLeavesNothingOfTheFirst() throws IOException {
    InitialModel model = TestNetworks.define(json(), SHAPE, directory);
    try (ModelReplica replica = TestNetworks.replica(model);
        ModelReplica undisturbed = TestNetworks.replica(model)) {
      replica.fit(sequence(1, 2, 3, 4), new float[2 * SHAPE.labels()]);
      undisturbed.fit(sequence(1, 2, 3, 4), new float[2 * SHAPE.labels()]);
      assertThat(TestNetworks.vector(replica)).isNotEqualTo(model.vector());

      assertThatThrownBy(() -> replica.fit(sequence(1, 2, WORDS, 3), new float[2 * SHAPE.labels()]))
          .isInstanceOf(UnusableExamplesException.class);

      assertThat(TestNetworks.vector(replica)).isEqualTo(TestNetworks.vector(undisturbed));
      assertThat(replica.steps()).isEqualTo(undisturbed.steps());
      replica.fit(sequence(5, 6, 7, 8), new float[2 * SHAPE.labels()]);
      undisturbed.fit(sequence(5, 6, 7, 8), new float[2 * SHAPE.labels()]);
      assertThat(TestNetworks.vector(replica)).isEqualTo(TestNetworks.vector(undisturbed));
    }
  }

  private static Minibatch sequence(float... words) {
    Minibatch minibatch = new Minibatch(SHAPE, 2);
    for (int row = 0; row < 2; row++) {
      float[] labels = new float[SHAPE.labels()];
      for (int step = 0; step < words.length; step++) {
        labels[step * 3 + step % 3] = 1;
      }
      minibatch.add(words, labels, 1, TestNetworks.PARTITION, row);
    }
    return minibatch;
  }

  private static String json() {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(new Adam(0.01))
        .list()
        .layer(new EmbeddingSequenceLayer.Builder().nIn(WORDS).nOut(4).build())
        .layer(
            new LSTM.Builder()
                .nIn(4)
                .nOut(5)
                .activation(Activation.TANH)
                .dataFormat(RNNFormat.NCW)
                .build())
        .layer(
            new RnnOutputLayer.Builder(LossFunction.MCXENT)
                .nIn(5)
                .nOut(3)
                .dataFormat(RNNFormat.NCW)
                .activation(Activation.SOFTMAX)
                .build())
        .backpropType(BackpropType.TruncatedBPTT)
        .tBPTTLength(2)
        .build()
        .toJson();
  }
}
