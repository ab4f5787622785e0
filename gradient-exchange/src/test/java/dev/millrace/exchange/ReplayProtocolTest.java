package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.replay.HalfLife;
import dev.millrace.exchange.replay.Keep;
import dev.millrace.exchange.replay.ReplaySettings;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is replayed is exact, too: it follows from what was learned, whatever fails. */
class ReplayProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 10;

  @ParameterizedTest
  @EnumSource(Keep.class)
  void theModelIsTheSameBitByBitAfterFailures(Keep keep) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation disturbed = inStep(seed, 2, keep);
      Simulation undisturbed = inStep(seed + 1, 2, keep);

      disturbed.run(0.02, 0.003, 0);
      undisturbed.run(0, 0, 0);

      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
      assertThat(undisturbed.globalVector()[0])
          .as("most of all steps was replayed")
          .isGreaterThan(1.5f * learned());
      assertExact(disturbed, seed);
    }
  }

  @ParameterizedTest
  @EnumSource(Keep.class)
  void theLedgerDoesNotKnowOfItWhateverTheParallelism(Keep keep) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          new Simulation(seed, 2, Schedule.every(2, false), Aggregator.sum(), RECORDS)
              .hooked(settings(keep));

      simulation.run(0.01, 0.004, 0.004);

      assertExact(simulation, seed);
    }
  }

  private static void assertExact(Simulation simulation, long seed) {
    Ledger ledger = simulation.coordinator().totals().ledger();
    for (Partition partition : SimulatedInput.partitions()) {
      assertThat(ledger.entries().get(partition).learned().count())
          .as("seed %d", seed)
          .isEqualTo(learned() / SimulatedInput.partitions().length);
    }
    assertThat(simulation.coordinator().totals().measures().examples())
        .as("seed %d", seed)
        .isEqualTo(learned());
  }

  private static long learned() {
    long learned = 0;
    for (long offset = 0; offset < RECORDS; offset++) {
      learned += SimulatedInput.isRejected(offset) ? 0 : SimulatedInput.partitions().length;
    }
    return learned;
  }

  private static Simulation inStep(long seed, int replicas, Keep keep) {
    return new Simulation(seed, replicas, Schedule.every(3, true), Aggregator.sum(), RECORDS)
        .hooked(settings(keep))
        .inStep();
  }

  private static ReplaySettings settings(Keep keep) {
    return new ReplaySettings(20, keep, 0.5, HalfLife.NONE, 0, 7);
  }
}
