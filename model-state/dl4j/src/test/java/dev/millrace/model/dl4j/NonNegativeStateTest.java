package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.AdaDelta;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.AdaMax;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;

final class NonNegativeStateTest {

  private static final int STEPS = 10;

  /**
   * Updaters, and of how many parts of their state, as long as the parameters, which are signed.
   */
  static final List<Arguments> updaters =
      List.of(
          Arguments.of(new Sgd(0.1), 0, 0),
          Arguments.of(new Nesterovs(0.1, 0.9), 1, 1),
          Arguments.of(new Adam(0.1), 2, 1),
          Arguments.of(new Nadam(0.1), 2, 1),
          Arguments.of(new AdaMax(0.1), 2, 1),
          Arguments.of(new AMSGrad(0.1), 3, 1),
          Arguments.of(new AdaGrad(0.1), 1, 0),
          Arguments.of(new RmsProp(0.1), 1, 0),
          Arguments.of(new AdaDelta(), 2, 0));

  @TempDir private Path directory;

  @ParameterizedTest
  @FieldSource("updaters")
  void coversWhatNeverFallsBelowZeroAndNothingElse(IUpdater updater, int parts, int signedParts)
      throws IOException {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", updater, seed);
    Random random = new Random(seed);
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel model =
        TestNetworks.define(TestNetworks.layeredJson(updater, 1), shape, directory);
    int n = model.spec().parameters();
    List<IndexRange> expected =
        parts == signedParts
            ? List.of()
            : List.of(new IndexRange(n + signedParts * n, n + parts * n));

    assertThat(model.spec().updaterState()).isEqualTo(parts * n);
    assertThat(model.spec().nonNegative()).isEqualTo(expected);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      for (int step = 0; step < STEPS; step++) {
        replica.fit(TestNetworks.examples(model.spec(), 4, random), new float[4 * 5]);
        float[] vector = TestNetworks.vector(replica);
        assertThat(lowest(vector, n + signedParts * n, n + parts * n)).isNotNegative();
        assertThat(lowest(vector, 0, n + signedParts * n)).isNegative();
        if (signedParts > 0) {
          assertThat(lowest(vector, n, n + signedParts * n)).isNegative();
        }
      }
    }
  }

  @Test
  void everyUpdaterOfANetworkHasItsOwnRange() throws IOException {
    ExampleShape shape = new ExampleShape(3, 2, Target.CLASSIFICATION);
    String json =
        new org.deeplearning4j.nn.conf.NeuralNetConfiguration.Builder()
            .updater(new Adam(0.1))
            .biasUpdater(new Sgd(0.1))
            .list()
            .layer(
                new org.deeplearning4j.nn.conf.layers.DenseLayer.Builder().nIn(3).nOut(4).build())
            .layer(
                new org.deeplearning4j.nn.conf.layers.OutputLayer.Builder().nIn(4).nOut(2).build())
            .build()
            .toJson();

    InitialModel model = TestNetworks.define(json, shape, directory);

    // 12 + 4 + 8 + 2 parameters; m and v of the 12 weights, then m and v of the 8.
    assertThat(model.spec().parameters()).isEqualTo(26);
    assertThat(model.spec().nonNegative())
        .containsExactly(new IndexRange(26 + 12, 26 + 24), new IndexRange(26 + 32, 26 + 40));
  }

  private static float lowest(float[] values, int from, int to) {
    float lowest = Float.POSITIVE_INFINITY;
    for (int i = from; i < to; i++) {
      lowest = Math.min(lowest, values[i]);
    }
    return lowest;
  }
}
