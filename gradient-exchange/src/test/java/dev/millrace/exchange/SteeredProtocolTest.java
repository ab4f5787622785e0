package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.exchange.round.RateCourse;
import dev.millrace.exchange.round.Reactions;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.Steering;
import dev.millrace.exchange.round.SteeringRules;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drifts, reactions and courses of learning rates, over random orders of delivery, failures and
 * rescales. The model predicts worse and worse, so drifts are found throughout.
 */
class SteeredProtocolTest {

  private static final long RECORDS = 400;
  private static final int RUNS = 10;

  private static final SteeringRules RULES =
      new SteeringRules(
          new Detection(List.of(Kind.ADWIN, Kind.PAGE_HINKLEY), Features.NONE, 0.01, 0.001, 1),
          new Reactions(3, 60, true, 0.7, 0.1, 0.4, 0.5, 80, true, true, 0, 0, 100),
          new RateCourse(RateCourse.Kind.CYCLE, 50, 200, 0.1, 0.5, 100, 50),
          150);

  /** Models of before predict better, so each drift but the first leads back to one. */
  private static final SteeringRules RETURNING =
      new SteeringRules(
          new Detection(List.of(Kind.PAGE_HINKLEY), Features.NONE, 0.01, 0, 0.2),
          new Reactions(1, 0, false, 1, 0, 1, 0.5, 40, false, false, 3, 20, 60),
          RateCourse.NONE,
          0);

  @Test
  void aReturnIsTheSameWhateverFailsUnderSync() throws IOException {
    int returns = 0;
    for (int run = 0; run < RUNS; run++) {
      long seed = new Random().nextLong();
      int replicas = 1 << Math.floorMod(seed, 3);
      Simulation undisturbed = returning(~seed, replicas).inStep();
      undisturbed.run(0, 0, 0);
      Simulation disturbed = returning(seed, replicas).inStep();
      disturbed.run(0.02, 0.003, 0);

      Steering expected = undisturbed.coordinator().helm().steering();
      returns += expected.resets();
      assertThat(disturbed.coordinator().helm().steering()).as("seed %d", seed).isEqualTo(expected);
      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
      assertThat(disturbed.pastModels())
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(undisturbed.pastModels());
    }
    // After the first drift of a run there is nothing to return to.
    assertThat(returns).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsTakenOnceOverReturnsAndRescales(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = new Random().nextLong();
      Simulation simulation =
          new Simulation(
                  seed,
                  2,
                  sync ? Schedule.every(3, true) : Schedule.every(2, false),
                  Aggregator.weightedMean(),
                  RECORDS)
              .steered(RETURNING)
              .pausing();

      simulation.run(0.01, 0.004, 0.004);

      assertThat(simulation.coordinator().totals().ledger().learnedCount())
          .as("seed %d", seed)
          .isEqualTo(4 * (RECORDS - (RECORDS + 7) / 13));
      assertThat(simulation.coordinator().helm().steering().past())
          .as("seed %d", seed)
          .isPositive();
    }
  }

  private static Simulation returning(long seed, int replicas) {
    return new Simulation(
            seed, replicas, Schedule.every(3, true), Aggregator.weightedMean(), RECORDS)
        .steered(RETURNING);
  }

  @Test
  void failuresChangeNothingUnderSync() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = new Random().nextLong();
      // As many partitions each: none ends before the others, which would keep checkpoints away.
      int replicas = 1 << Math.floorMod(seed, 3);
      Simulation undisturbed = simulation(~seed, replicas).inStep();
      undisturbed.run(0, 0, 0);
      Simulation disturbed = simulation(seed, replicas).inStep();
      disturbed.run(0.02, 0.003, 0);

      Steering expected = undisturbed.coordinator().helm().steering();
      assertThat(expected.resets()).as("drifts, seed %d", seed).isPositive();
      assertThat(expected.anchors()).as("seed %d", seed).isGreaterThan(expected.resets());
      assertThat(disturbed.coordinator().helm().steering()).as("seed %d", seed).isEqualTo(expected);
      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordIsLearnedOnceWhateverFailsAndIsSteered(boolean sync) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = new Random().nextLong();
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
      assertThat(simulation.coordinator().helm().steering().resets())
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
