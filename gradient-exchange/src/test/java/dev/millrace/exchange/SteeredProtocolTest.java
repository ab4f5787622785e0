package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.exchange.drift.DriftRules;
import dev.millrace.exchange.drift.Reactions;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drifts and reactions, over random orders of delivery, failures and rescales. The model predicts
 * worse and worse, so drifts are found throughout.
 */
class SteeredProtocolTest {

  private static final long RECORDS = 400;
  private static final int RUNS = 10;

  private static final DriftRules RULES =
      new DriftRules(
          new Detection(List.of(Kind.ADWIN, Kind.PAGE_HINKLEY), Features.NONE, 0.01, 0.001, 1),
          new Reactions(0.4, 0.5, 80, true, 100));

  @Test
  void failuresChangeNothingUnderSync() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      // As many partitions each: none ends before the others, which would keep checkpoints away.
      int replicas = 1 << Math.floorMod(seed, 3);
      Simulation undisturbed = simulation(~seed, replicas).inStep();
      undisturbed.run(0, 0, 0);
      Simulation disturbed = simulation(seed, replicas).inStep();
      disturbed.run(0.02, 0.003, 0);

      Steering expected = undisturbed.coordinator().controller().steering();
      assertThat(expected.changes()).as("drifts, seed %d", seed).isPositive();
      assertThat(disturbed.coordinator().controller().steering())
          .as("seed %d", seed)
          .isEqualTo(expected);
      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsLearnedOnceWhateverFailsAndIsSteered(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          new Simulation(
                  seed,
                  2,
                  sync ? Schedule.every(3, true) : Schedule.every(2, false),
                  Aggregator.weightedMean(),
                  RECORDS)
              .steered(RULES)
              .pausing();

      simulation.run(0.01, 0.004, 0.004);

      assertThat(simulation.coordinator().totals().ledger().learnedCount())
          .as("seed %d", seed)
          .isEqualTo(4 * (RECORDS - (RECORDS + 7) / 13));
      assertThat(simulation.coordinator().controller().steering().changes())
          .as("seed %d", seed)
          .isPositive();
    }
  }

  private static Simulation simulation(long seed, int replicas) {
    return new Simulation(
            seed, replicas, Schedule.every(3, true), Aggregator.weightedMean(), RECORDS)
        .steered(RULES);
  }
}
