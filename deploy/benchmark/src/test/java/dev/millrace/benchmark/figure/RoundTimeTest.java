package dev.millrace.benchmark.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.benchmark.figure.RoundTime.Measured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTimeTest {

  @Test
  void findsTheConstantsOfWhatFollowsIt() {
    RoundTime truth = new RoundTime(1e-3, 2e-4, 5e-4, 2e-3);
    List<Measured> measured = new ArrayList<>();
    for (int replicas : List.of(1, 2, 4, 8)) {
      for (double megabytes : List.of(0.1, 4.0, 40.0)) {
        int processes = Math.min(replicas, 2);
        measured.add(
            new Measured(
                replicas,
                processes,
                megabytes,
                truth.onOneMachine(replicas, processes, megabytes, 2)));
      }
    }

    RoundTime fitted = RoundTime.fit(measured, 2);

    assertThat(fitted.fixed()).isCloseTo(truth.fixed(), within(1e-9));
    assertThat(fitted.perReplica()).isCloseTo(truth.perReplica(), within(1e-9));
    assertThat(fitted.passes()).isCloseTo(truth.passes(), within(1e-9));
    assertThat(fitted.carried()).isCloseTo(truth.carried(), within(1e-9));
  }

  @Test
  void replicasWithMachinesOfTheirOwnShareNoProcessor() {
    RoundTime time = new RoundTime(0, 0, 1e-3, 0);

    assertThat(time.onOneMachine(8, 2, 40, 2)).isCloseTo(0.16, within(1e-12));
    assertThat(time.onMachines(8, 40, 1e9)).isCloseTo(0.04, within(1e-6));
    assertThat(time.efficiency(8, 40, 1e9, 0.04)).isCloseTo(0.5, within(1e-5));
  }

  @Test
  void nothingIsCarriedWithinAProcess() {
    RoundTime time = new RoundTime(0, 0, 0, 1e-3);

    assertThat(time.onOneMachine(4, 1, 40, 2)).isZero();
    // Half of each replica's change, and of the model for each process, by two processors.
    assertThat(time.onOneMachine(4, 2, 40, 2)).isCloseTo(0.06, within(1e-12));
    assertThat(time.onMachines(1, 40, 1)).isZero();
    assertThat(time.onMachines(2, 40, 1e9)).isCloseTo(0.04, within(1e-6));
  }
}
