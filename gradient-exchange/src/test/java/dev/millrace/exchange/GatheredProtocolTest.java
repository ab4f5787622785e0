package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The protocol where the contributions of a process are combined before they leave it, over random
 * orders of delivery, failures and rescales.
 */
class GatheredProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 25;
  private static final int REPLICAS = 4;

  /** In each attempt replicas are in other processes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsInLedgerAndParametersExactlyOnceWhateverFails(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(
              seed,
              1 + (int) Math.floorMod(seed, (long) REPLICAS),
              sync,
              Codec.float32(),
              Aggregator.sum(),
              anyOfTwo(seed));

      simulation.run(0.01, 0.005, 0.003);

      assertTookAll(simulation, 0, seed);
    }
  }

  /**
   * A contribution that is the only one of its process is sent as it is, and others are decoded.
   */
  @Test
  void whatCodecsLeaveOutIsInTheModelAtTheEnd() throws IOException {
    for (int run = 0; run < RUNS / 5; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(
              seed,
              3,
              seed % 2 == 0,
              Codec.threshold(ThresholdRule.fixed(2)),
              Aggregator.sum(),
              anyOfTwo(seed));

      simulation.run(0.01, 0.005, 0.003);

      assertTookAll(simulation, 0.01f, seed);
    }
  }

  /**
   * After every round, in whatever order messages come, and whatever fails: as long as the same
   * replicas share a process.
   */
  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void aMeanIsTheSameBitByBit(int perProcess) throws IOException {
    float[][] expected = null;
    for (int run = 0; run < RUNS / 2; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(
                  seed,
                  REPLICAS,
                  true,
                  Codec.float32(),
                  Aggregator.weightedMean(),
                  (attempt, replica) -> replica / perProcess)
              .inStep();

      simulation.run(run == 0 ? 0 : 0.02, run == 0 ? 0 : 0.003, 0);

      float[][] rounds = simulation.blocks().rounds();
      expected = expected == null ? rounds : expected;
      assertThat(rounds).as("seed %d", seed).isDeepEqualTo(expected);
    }
  }

  /** Where all replicas share a process, a part is all of a round. */
  @Test
  void ofOneProcessAMeanIsThatWithoutGathering() throws IOException {
    for (int run = 0; run < RUNS / 5; run++) {
      long seed = Seeds.next();
      Simulation gathered = mean(seed, (attempt, replica) -> 0);
      Simulation direct = mean(seed, null);

      gathered.run(0.02, 0.003, 0);
      direct.run(0.02, 0.003, 0);

      assertThat(gathered.blocks().rounds())
          .as("seed %d", seed)
          .isDeepEqualTo(direct.blocks().rounds());
    }
  }

  private static Simulation mean(long seed, SimulatedGatherers.Places places) {
    return simulation(seed, REPLICAS, true, Codec.float32(), Aggregator.weightedMean(), places)
        .inStep();
  }

  private static SimulatedGatherers.Places anyOfTwo(long seed) {
    return (attempt, replica) -> new Random(Objects.hash(seed, attempt, replica)).nextInt(2);
  }

  private static Simulation simulation(
      long seed,
      int replicas,
      boolean sync,
      Codec codec,
      Aggregator aggregator,
      SimulatedGatherers.Places places) {
    return new Simulation(
        seed,
        replicas,
        sync ? Schedule.every(3, true).afterWarmUp(5) : Schedule.every(2, false),
        codec,
        aggregator,
        null,
        Averaging.NONE,
        places,
        RECORDS);
  }

  private static void assertTookAll(Simulation simulation, float tolerance, long seed) {
    Ledger ledger = simulation.coordinator().totals().ledger();
    for (Partition partition : SimulatedInput.partitions()) {
      assertThat(ledger.entries().get(partition).taken())
          .as("%s, seed %d", partition, seed)
          .isEqualTo(new Ledger.Span(RECORDS, RECORDS * (RECORDS - 1) / 2, 0, RECORDS - 1));
    }
    float records = 0;
    float values = 0;
    for (int partition = 0; partition < SimulatedInput.partitions().length; partition++) {
      for (long offset = 0; offset < RECORDS; offset++) {
        boolean learned = offset % 13 != 5;
        records += learned ? 1 : 0;
        values += learned ? SimulatedInput.value(partition, offset) : 0;
      }
    }
    float[] vector = simulation.globalVector();
    for (int i = 0; i < vector.length; i++) {
      assertThat(vector[i])
          .as("parameter %d, seed %d", i, seed)
          .isCloseTo(i % 2 == 0 ? records : values, within(tolerance));
    }
  }
}
