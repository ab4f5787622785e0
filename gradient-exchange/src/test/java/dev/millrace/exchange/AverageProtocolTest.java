package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The moving average over random orders of delivery, failures and rescales. */
class AverageProtocolTest {

  private static final long RECORDS = 200;
  private static final int RUNS = 15;
  private static final double HALF_LIFE = 60;

  /** Each round that is in the model is in it once, in its order, with its own examples. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isThatOfTheRoundsInTheModelWhateverFails(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation = simulation(seed, replicas(seed), sync, HALF_LIFE);

      simulation.run(0.01, 0.005, 0.003);

      float[] average = simulation.blocks().average();
      double[] expected = simulation.blocks().plainAverage(HALF_LIFE);
      float[] newest = simulation.globalVector();
      assertThat(average).hasSameSizeAs(newest);
      for (int i = 0; i < average.length; i++) {
        assertThat((double) average[i])
            .as("parameter %d, seed %d", i, seed)
            .isCloseTo(expected[i], within(1e-5 * expected[i]))
            .isLessThan(newest[i]);
      }
    }
  }

  /** With one replica under {@code sync} there is but one course of training. */
  @Test
  void isTheSameBitByBitInWhateverOrderMessagesComeAndWhateverFails() throws IOException {
    float[] expected = null;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation = simulation(seed, 1, true, HALF_LIFE);

      simulation.run(run == 0 ? 0 : 0.01, run == 0 ? 0 : 0.01, 0);

      float[] average = simulation.blocks().average();
      expected = expected == null ? average : expected;
      assertThat(average).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void trainingKnowsNothingOfIt() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation with = simulation(seed, replicas(seed), run % 2 == 0, HALF_LIFE);
      Simulation without = simulation(seed, replicas(seed), run % 2 == 0, 0);

      with.run(0.01, 0.005, 0.003);
      without.run(0.01, 0.005, 0.003);

      assertThat(with.globalVector()).as("seed %d", seed).isEqualTo(without.globalVector());
      assertThat(without.blocks().average()).containsOnly(0);
      assertThat(with.coordinator().version()).isEqualTo(without.coordinator().version());
    }
  }

  private static int replicas(long seed) {
    return 1 + (int) Math.floorMod(seed, 4L);
  }

  private static Simulation simulation(long seed, int replicas, boolean sync, double halfLife) {
    return new Simulation(
        seed,
        replicas,
        sync ? Schedule.every(3, true).afterWarmUp(5) : Schedule.every(2, false),
        Codec.float32(),
        replicas > 1 && seed % 2 == 0 ? Aggregator.sum() : Aggregator.weightedMean(),
        null,
        halfLife > 0 ? new Averaging(halfLife, false) : Averaging.NONE,
        null,
        RECORDS);
  }
}
