package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models exchanged in parts, over random orders of delivery, failures and rescales. */
class FragmentProtocolTest {

  private static final long RECORDS = 200;
  private static final int RUNS = 15;
  private static final int BLOCKS = 3;
  private static final double HALF_LIFE = 60;

  /** Of each partition. */
  private static final long LEARNED = RECORDS - (RECORDS + 7) / 13;

  /** Nothing of another fragment is lost, and nothing comes twice. */
  @ParameterizedTest
  @CsvSource({"true, 2", "true, 3", "false, 2", "false, 3"})
  void everyRecordIsInEveryBlockExactlyOnceWhateverFails(boolean sync, int fragments)
      throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, sync, fragments, Codec.float32(), Aggregator.sum()).pausing();

      simulation.run(0.01, 0.005, 0.003);

      assertThat(simulation.coordinator().totals().ledger().learnedCount())
          .as("seed %d", seed)
          .isEqualTo(4 * LEARNED);
      assertAllIsIn(simulation, seed, 0);
    }
  }

  /** So a moving average and means count each example once in each block, not in a part of it. */
  @ParameterizedTest
  @CsvSource({"true, 2", "true, 3", "false, 3"})
  void everyBlockCountsEveryExampleOnce(boolean sync, int fragments) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, sync, fragments, Codec.float32(), Aggregator.weightedMean()).pausing();

      simulation.run(0.01, 0.005, 0.003);

      for (int block = 0; block < BLOCKS; block++) {
        assertThat(simulation.blocks().examples(block))
            .as("block %d, seed %d", block, seed)
            .isCloseTo(4 * LEARNED, within(0.01));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatCodecsLeaveOutOfFragmentsIsInTheModelAtTheEnd(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, sync, 2, run % 2 == 0 ? Codec.topK(0.3) : Codec.int8(), Aggregator.sum())
              .pausing();

      simulation.run(0.01, 0.005, 0.003);

      assertAllIsIn(simulation, seed, 0.01f);
    }
  }

  private static void assertAllIsIn(Simulation simulation, long seed, float tolerance) {
    float learned = 4 * LEARNED;
    float[] vector = simulation.globalVector();
    for (int i = 0; i < vector.length; i++) {
      assertThat(vector[i])
          .as("parameter %d, seed %d", i, seed)
          .isCloseTo(i % 2 == 0 ? learned : values(), within(tolerance));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theMovingAverageIsThatOfTheRoundsThatChangedEachBlock(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, sync, 3, Codec.float32(), Aggregator.sum()).pausing();

      simulation.run(0.01, 0.005, 0.003);

      float[] average = simulation.blocks().average();
      double[] expected = simulation.blocks().plainAverage(HALF_LIFE);
      for (int i = 0; i < average.length; i++) {
        assertThat((double) average[i])
            .as("parameter %d, seed %d", i, seed)
            .isCloseTo(expected[i], within(1e-5 * expected[i]));
      }
    }
  }

  /** Long before the first one ends: each round changes one fragment, by all of them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void undisturbedReplicasAreInStep(boolean sync) throws IOException {
    long seed = Seeds.next();
    Simulation simulation =
        new Simulation(seed, 3, schedule(sync, 3), Aggregator.weightedMean(), 2_000).punctual();

    simulation.run(0, 0, 0);

    BitSet all = new BitSet();
    all.set(0, 3);
    for (int block = 0; block < BLOCKS; block++) {
      List<BitSet> rounds = simulation.blocks().history().members(block, 9);
      for (int round = 0; round < rounds.size(); round++) {
        assertThat(rounds.get(round))
            .as("block %d, round %d, seed %d", block, round + 1, seed)
            .isEqualTo(round % 3 == block ? all : new BitSet());
      }
    }
  }

  /** Restores included; replicas end at different times. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void underSyncTheEndIsTheSameBitByBitInWhateverOrderMessagesComeAndWhateverFails(int fragments)
      throws IOException {
    float[] expected = null;
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(seed, 3, true, fragments, Codec.float32(), Aggregator.weightedMean())
              .punctual();

      simulation.run(run == 0 ? 0 : 0.01, run == 0 ? 0 : 0.01, 0);

      float[] vector = simulation.globalVector();
      expected = expected == null ? vector : expected;
      assertThat(vector).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** Savepoints hold contributions of the former fragments. */
  @Test
  void theNumberOfFragmentsMayChangeWithARestore() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation = simulation(seed, true, 3, Codec.float32(), Aggregator.sum());

      simulation.run(0.01, 0.002, 0.002, List.of(schedule(true, 2), schedule(false, 1)));

      assertAllIsIn(simulation, seed, 0);
    }
  }

  private static Simulation simulation(
      long seed, boolean sync, int fragments, Codec codec, Aggregator aggregator) {
    return simulation(seed, 1 + (int) Math.floorMod(seed, 4L), sync, fragments, codec, aggregator);
  }

  private static Simulation simulation(
      long seed, int replicas, boolean sync, int fragments, Codec codec, Aggregator aggregator) {
    return new Simulation(
        seed,
        replicas,
        schedule(sync, fragments),
        codec,
        aggregator,
        null,
        new Averaging(HALF_LIFE, false),
        null,
        RECORDS);
  }

  private static Schedule schedule(boolean sync, int fragments) {
    return Schedule.every(4, sync).inFragments(fragments);
  }

  private static float values() {
    float sum = 0;
    for (int partition = 0; partition < 4; partition++) {
      for (long offset = 0; offset < RECORDS; offset++) {
        sum += offset % 13 == 5 ? 0 : SimulatedInput.value(partition, offset);
      }
    }
    return sum;
  }
}
