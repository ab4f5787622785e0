package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that train on while a round is made, over random orders of delivery and failures. */
class DelayedProtocolTest {

  private static final long RECORDS = 200;
  private static final int RUNS = 25;
  private static final int LOCAL_STEPS = 6;

  /** Of each partition. */
  private static final long LEARNED = RECORDS - (RECORDS + 7) / 13;

  /** Each step depends on the values that it starts from, so on when rounds are taken in. */
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "5, 1", "2, 2"})
  void theEndIsTheSameBitByBitInWhateverOrderMessagesComeAndWhateverFails(int delay, int fragments)
      throws IOException {
    float[] expected = null;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, 2, schedule(delay).inFragments(fragments), Aggregator.weightedMean())
              .sensitive()
              .inStep();

      simulation.run(run == 0 ? 0 : 0.02, run == 0 ? 0 : 0.003, 0);

      float[] vector = simulation.globalVector();
      expected = expected == null ? vector : expected;
      assertThat(vector).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** With fewer steps, or later ones, the model is another one: the delay is what it says. */
  @Test
  void anotherDelayIsAnotherCourse() throws IOException {
    assertThat(end(1)).isNotEqualTo(end(2));
  }

  private static float[] end(int delay) throws IOException {
    Simulation simulation =
        simulation(Seeds.next(), 2, schedule(delay), Aggregator.weightedMean())
            .sensitive()
            .inStep();
    simulation.run(0, 0, 0);
    return simulation.globalVector();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void everyRecordIsInTheModelExactlyOnceWhateverFails(int delay) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      int replicas = 1 + (int) Math.floorMod(seed, 4L);
      Simulation simulation =
          simulation(seed, replicas, schedule(delay).afterWarmUp(4), Aggregator.sum()).pausing();

      simulation.run(0.01, 0.005, 0.003);

      assertAllIsIn(simulation, seed);
    }
  }

  @Test
  void theDelayMayChangeWithARestore() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation = simulation(seed, 2, schedule(3), Aggregator.sum()).pausing();

      simulation.run(
          0.01, 0.004, 0.002, List.of(schedule(5), schedule(0), Schedule.every(2, false)));

      assertAllIsIn(simulation, seed);
    }
  }

  private static void assertAllIsIn(Simulation simulation, long seed) {
    assertThat(simulation.coordinator().totals().ledger().learnedCount())
        .as("seed %d", seed)
        .isEqualTo(4 * LEARNED);
    float[] vector = simulation.globalVector();
    for (int i = 0; i < vector.length; i += 2) {
      assertThat(vector[i]).as("parameter %d, seed %d", i, seed).isEqualTo((float) (4 * LEARNED));
    }
  }

  private static Simulation simulation(
      long seed, int replicas, Schedule schedule, Aggregator aggregator) {
    return new Simulation(
        seed, replicas, schedule, Codec.float32(), aggregator, null, Averaging.NONE, null, RECORDS);
  }

  private static Schedule schedule(int delay) {
    return Schedule.every(LOCAL_STEPS, true).delayed(delay);
  }
}
