package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The invariants of docs/internals/protocol.md, over random orders of delivery, failures and
 * rescales.
 */
class ProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 25;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsInLedgerAndParametersExactlyOnceWhateverFails(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      int replicas = 1 + (int) Math.floorMod(seed, 4L);
      Simulation simulation =
          new Simulation(seed, replicas, schedule(sync), Aggregator.sum(), RECORDS);

      simulation.run(0.01, 0.005, 0.003);

      assertLedgerIsComplete(simulation.coordinator().totals().ledger(), seed);
      assertThat(simulation.coordinator().totals().progress())
          .as("whatever the parallelism was, seed %d", seed)
          .isEqualTo(JobProgress.NONE.plus((long) learnedRecords(), Simulation.OF_STEP));
      float[] vector = simulation.globalVector();
      for (int i = 0; i < vector.length; i++) {
        assertThat(vector[i])
            .as("parameter %d, seed %d", i, seed)
            .isEqualTo(i % 2 == 0 ? learnedRecords() : learnedValues());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsInTheLedgerExactlyOnceWhenParallelismChanges(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          new Simulation(seed, 2, schedule(sync), Aggregator.weightedMean(), RECORDS);

      simulation.run(0.01, 0.004, 0.004);

      assertLedgerIsComplete(simulation.coordinator().totals().ledger(), seed);
    }
  }

  @ParameterizedTest
  @MethodSource("lossy")
  void whatCodecsLeaveOutIsInTheModelAtTheEnd(Codec codec, Codec feedback) throws IOException {
    for (int run = 0; run < RUNS / 5; run++) {
      long seed = Seeds.next();
      int replicas = 1 + (int) Math.floorMod(seed, 4L);
      Simulation simulation =
          new Simulation(
              seed,
              replicas,
              schedule(seed % 2 == 0),
              codec,
              Aggregator.sum(),
              feedback,
              Averaging.NONE,
              null,
              RECORDS);

      simulation.run(0.01, 0.005, 0.003);

      assertLedgerIsComplete(simulation.coordinator().totals().ledger(), seed);
      float[] global = simulation.globalVector();
      for (int i = 0; i < global.length; i++) {
        float learned = i % 2 == 0 ? learnedRecords() : learnedValues();
        assertThat(global[i])
            .as("parameter %d, seed %d", i, seed)
            .isCloseTo(learned, within(0.01f));
      }
    }
  }

  private static Stream<Arguments> lossy() {
    return Stream.of(
        Arguments.of(Codec.bfloat16(), null),
        Arguments.of(Codec.int8(), Codec.bfloat16()),
        Arguments.of(Codec.threshold(ThresholdRule.fixed(2)), Codec.sparse()),
        Arguments.of(Codec.threshold(ThresholdRule.target(0.5f, 0.5, 0.9)), Codec.int8()),
        Arguments.of(Codec.threshold(ThresholdRule.quantile(0.1, 600)), Codec.sparse()),
        Arguments.of(Codec.topK(0.3), Codec.topK(0.5)),
        Arguments.of(Codec.twoBitTopK(0.3), Codec.twoBitTopK(0.5)));
  }

  private static Schedule schedule(boolean sync) {
    return sync ? Schedule.every(3, true).afterWarmUp(5) : Schedule.every(2, false);
  }

  private static void assertLedgerIsComplete(Ledger ledger, long seed) {
    for (Partition partition : SimulatedInput.partitions()) {
      Ledger.Span taken = ledger.entries().get(partition).taken();
      assertThat(taken)
          .as("%s, seed %d", partition, seed)
          .isEqualTo(new Ledger.Span(RECORDS, RECORDS * (RECORDS - 1) / 2, 0, RECORDS - 1));
    }
    assertThat(ledger.rejectedCount()).isEqualTo(4 * rejectedOfOnePartition());
  }

  private static long rejectedOfOnePartition() {
    long rejected = 0;
    for (long offset = 0; offset < RECORDS; offset++) {
      rejected += offset % 13 == 5 ? 1 : 0;
    }
    return rejected;
  }

  private static float learnedRecords() {
    return 4 * (RECORDS - rejectedOfOnePartition());
  }

  private static float learnedValues() {
    float sum = 0;
    for (int partition = 0; partition < 4; partition++) {
      for (long offset = 0; offset < RECORDS; offset++) {
        sum += offset % 13 == 5 ? 0 : SimulatedInput.value(partition, offset);
      }
    }
    return sum;
  }
}
