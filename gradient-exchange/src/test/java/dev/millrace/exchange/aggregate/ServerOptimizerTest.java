package dev.millrace.exchange.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerOptimizerTest {

  private static final int ROUNDS = 50;
  private static final int LENGTH = 5;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  @Test
  void noneAtRateOneAddsTheChangeBitByBit() {
    float[] values = {0.1f, -3f, 1e-20f};
    float[] change = {0.2f, 1e-9f, 1e-21f};
    float[] expected = {0.1f + 0.2f, -3f + 1e-9f, 1e-20f + 1e-21f};

    ServerOptimizer.none(1).apply(values, change, 3, 1, new float[0]);

    assertThat(values).containsExactly(expected);
  }

  @Test
  void nesterovIsThatOfTheBook() {
    ServerOptimizer optimizer = ServerOptimizer.nesterov(0.7, 0.9);
    float[] values = new float[LENGTH];
    float[] state = new float[optimizer.stateShape().length(LENGTH)];
    double[] expected = new double[LENGTH];
    double[] velocity = new double[LENGTH];
    for (int round = 0; round < ROUNDS; round++) {
      float[] change = change();
      for (int i = 0; i < LENGTH; i++) {
        velocity[i] = 0.9 * velocity[i] + change[i];
        expected[i] += 0.7 * (change[i] + 0.9 * velocity[i]);
      }

      optimizer.apply(values, change, LENGTH, 1, state);

      assertClose(values, expected);
    }
  }

  @Test
  void adamForgetsEvenTheGreatestChange() {
    ServerOptimizer optimizer = ServerOptimizer.adam(0.01, 0.1, 0.9, 1e-8);
    float[] values = new float[1];
    float[] state = new float[optimizer.stateShape().length(1)];
    optimizer.apply(values, new float[] {0x1p100f}, 1, 1, state);
    for (int round = 0; round < 2_000; round++) {
      optimizer.apply(values, new float[] {1}, 1, 1, state);
    }

    float before = values[0];
    optimizer.apply(values, new float[] {1}, 1, 1, state);

    assertThat(values[0] - before).isCloseTo(0.01f, within(1e-4f));
  }

  @Test
  void adamIsThatOfThePaper() {
    ServerOptimizer optimizer = ServerOptimizer.adam(0.01, 0.9, 0.99, 1e-8);
    float[] values = new float[LENGTH];
    float[] state = new float[optimizer.stateShape().length(LENGTH)];
    double[] expected = new double[LENGTH];
    double[] first = new double[LENGTH];
    double[] second = new double[LENGTH];
    for (int round = 1; round <= ROUNDS; round++) {
      float[] change = change();
      for (int i = 0; i < LENGTH; i++) {
        first[i] = 0.9 * first[i] + 0.1 * change[i];
        second[i] = 0.99 * second[i] + 0.01 * change[i] * change[i];
        double corrected = second[i] / (1 - Math.pow(0.99, round));
        expected[i] += 0.01 * first[i] / (1 - Math.pow(0.9, round)) / (Math.sqrt(corrected) + 1e-8);
      }

      optimizer.apply(values, change, LENGTH, 1, state);

      assertClose(values, expected);
    }
  }

  @Test
  void adamMakesAPartOfAStepForAPartOfARound() {
    ServerOptimizer optimizer = ServerOptimizer.adam(0.01, 0.9, 0.99, 1e-8);
    float[] values = new float[1];
    float[] state = new float[optimizer.stateShape().length(1)];
    for (int round = 0; round < 100; round++) {
      optimizer.apply(values, new float[] {1}, 1, 1, state);
    }
    float before = values[0];

    // A round of one example in 256, the one that is left at the end of the input.
    optimizer.apply(values, new float[] {1f / 256}, 1, 1.0 / 256, state);

    assertThat(values[0] - before).isCloseTo(0.01f / 256, within(1e-6f));
  }

  @Test
  void roundsOfAQuarterEachAddUpToWholeOnes() {
    for (ServerOptimizer optimizer :
        new ServerOptimizer[] {
          ServerOptimizer.none(0.5),
          ServerOptimizer.nesterov(0.7, 0.9),
          ServerOptimizer.adam(0.01, 0.9, 0.99, 1e-8)
        }) {
      float[] whole = new float[1];
      float[] quarters = new float[1];
      float[] stateOfWhole = new float[optimizer.stateShape().length(1)];
      float[] stateOfQuarters = new float[optimizer.stateShape().length(1)];
      for (int round = 0; round < 200; round++) {
        optimizer.apply(whole, new float[] {1}, 1, 1, stateOfWhole);
        for (int quarter = 0; quarter < 4; quarter++) {
          optimizer.apply(quarters, new float[] {0.25f}, 1, 0.25, stateOfQuarters);
        }
      }

      assertThat(quarters[0]).as("%s", optimizer).isCloseTo(whole[0], withinPercentage(5));
    }
  }

  @Test
  void noneMovesWhatLiesBehindTheParameters() {
    for (ServerOptimizer optimizer :
        new ServerOptimizer[] {
          ServerOptimizer.none(2),
          ServerOptimizer.nesterov(1, 0.9),
          ServerOptimizer.adam(1, 0, 0, 1)
        }) {
      float[] values = {1, 1};
      optimizer.apply(
          values, new float[] {1, 1}, 1, 1, new float[optimizer.stateShape().length(1)]);
      assertThat(values[0]).isNotEqualTo(1);
      assertThat(values[1]).isEqualTo(1);
    }
  }

  private float[] change() {
    float[] change = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      change[i] = (float) random.nextGaussian();
    }
    return change;
  }

  private void assertClose(float[] values, double[] expected) {
    for (int i = 0; i < LENGTH; i++) {
      assertThat((double) values[i])
          .as("seed %d", seed)
          .isCloseTo(expected[i], within(1e-5 * (1 + Math.abs(expected[i]))));
    }
  }
}
