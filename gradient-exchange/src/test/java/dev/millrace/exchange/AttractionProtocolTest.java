package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models that stay near older ones, over random orders of delivery, failures and rescales. */
class AttractionProtocolTest {

  private static final long RECORDS = 300;
  private static final int RUNS = 15;

  private static final OlderModelPenalty WEIGHED =
      new OlderModelPenalty(Moment.PERIODIC, 100, 0.05, 2, 0.9);

  private static Stream<OlderModelPenalty> attractions() {
    return Stream.of(
        new OlderModelPenalty(Moment.INITIAL, 1, 0.01, 0, 0),
        new OlderModelPenalty(Moment.PERIODIC, 100, 0.05, 0, 0),
        WEIGHED);
  }

  @ParameterizedTest
  @MethodSource("attractions")
  void inStepFailuresChangeNoBit(OlderModelPenalty attraction) throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      // As many partitions for each, so that all end together.
      int replicas = 1 << Math.floorMod(seed, 3);
      Simulation undisturbed = inStep(seed, replicas).hooked(attraction);
      undisturbed.run(0, 0, 0);
      Simulation disturbed = inStep(seed, replicas).hooked(attraction);
      disturbed.run(0.02, 0.003, 0);

      assertThat(disturbed.globalVector())
          .as("seed %d", seed)
          .containsExactly(undisturbed.globalVector());
      assertThat(disturbed.hookStates())
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(undisturbed.hookStates());
      Simulation free = inStep(seed, replicas);
      free.run(0, 0, 0);
      assertThat(free.globalVector()).isNotEqualTo(undisturbed.globalVector());
    }
  }

  /** All begin at zeros; what a newcomer finds as the global model is anything else. */
  @Test
  void newcomersStayNearTheModelThatTheJobStartedFrom() throws IOException {
    for (int run = 0; run < RUNS; run++) {
      long seed = Seeds.next();
      Simulation simulation =
          inStep(seed, 1 + Math.floorMod(seed, 2))
              .hooked(new OlderModelPenalty(Moment.INITIAL, 1, 0.05, 0, 0));
      List<byte[]> initial = simulation.hookStates().get(0);

      simulation.run(0.02, 0.003, 0.01);

      assertThat(simulation.hookStates())
          .as("seed %d", seed)
          .allSatisfy(one -> assertThat(one).usingRecursiveComparison().isEqualTo(initial));
    }
  }

  private static Simulation inStep(long seed, int replicas) {
    return new Simulation(
            seed, replicas, Schedule.every(3, true), Aggregator.weightedMean(), RECORDS)
        .inStep();
  }
}
