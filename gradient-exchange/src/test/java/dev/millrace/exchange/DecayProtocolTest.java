package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What contributions leave out may decay. Failures and rescales do nothing else to it. */
class DecayProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 10;
  private static final double DECAY = 0.9;

  @Test
  void failuresChangeNoBit() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      // As many partitions each: none ends before the others, which would keep checkpoints away.
      int replicas = 1 << Math.floorMod(seed, 3);
      for (Codec codec : List.of(Codec.twoBitTopK(0.3), Codec.topK(0.3))) {
        Simulation undisturbed = simulation(~seed, replicas, true, codec, codec).inStep();
        undisturbed.run(0, 0, 0);
        Simulation disturbed = simulation(seed, replicas, true, codec, codec).inStep();
        disturbed.run(0.02, 0.005, 0);

        assertThat(disturbed.globalVector())
            .as("%s, seed %d", codec.name(), seed)
            .isEqualTo(undisturbed.globalVector());
        assertLedgerIsComplete(disturbed, seed);
      }
    }
  }

  /** Of parameters that count records: what is sent is never more than what is left. */
  @Test
  void nothingIsLearnedTwice() throws IOException {
    float records = learnedRecords();
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          simulation(
              seed,
              1 + (int) Math.floorMod(seed, 4L),
              seed % 2 == 0,
              Codec.topK(0.3),
              Codec.topK(0.5));

      simulation.run(0.01, 0.005, 0.003);

      assertLedgerIsComplete(simulation, seed);
      float[] global = simulation.globalVector();
      for (int i = 0; i < global.length; i += 2) {
        assertThat(global[i]).as("parameter %d, seed %d", i, seed).isBetween(0f, records + 0.01f);
      }
    }
  }

  private static Simulation simulation(
      long seed, int replicas, boolean sync, Codec codec, Codec feedback) throws IOException {
    return new Simulation(
            seed,
            replicas,
            sync ? Schedule.every(3, true).afterWarmUp(5) : Schedule.every(2, false),
            codec,
            Aggregator.sum(),
            feedback,
            Averaging.NONE,
            null,
            RECORDS)
        .decaying(DECAY);
  }

  private static void assertLedgerIsComplete(Simulation simulation, long seed) {
    Ledger ledger = simulation.coordinator().totals().ledger();
    for (Partition partition : SimulatedInput.partitions()) {
      assertThat(ledger.entries().get(partition).taken())
          .as("%s, seed %d", partition, seed)
          .isEqualTo(new Ledger.Span(RECORDS, RECORDS * (RECORDS - 1) / 2, 0, RECORDS - 1));
    }
  }

  private static float learnedRecords() {
    int learned = 0;
    for (long offset = 0; offset < RECORDS; offset++) {
      learned += offset % 13 == 5 ? 0 : 1;
    }
    return (float) SimulatedInput.partitions().length * learned;
  }
}
