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
    RoundTime truth = new RoundTime(1e-5, 1e-3, 2e-4, 5e-4, 2e-3);
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

    RoundTime fitted = RoundTime.fit(measured, truth.coordinator(), 2);

    assertThat(fitted.fixed()).isCloseTo(truth.fixed(), within(1e-9));
    assertThat(fitted.own()).isCloseTo(truth.own(), within(1e-9));
    assertThat(fitted.passes()).isCloseTo(truth.passes(), within(1e-9));
    assertThat(fitted.carried()).isCloseTo(truth.carried(), within(1e-9));
  }

  @Test
  void replicasWithMachinesOfTheirOwnShareNoProcessor() {
    RoundTime time = new RoundTime(0, 0, 0, 1e-3, 0);

    assertThat(time.onOneMachine(8, 2, 40, 2)).isCloseTo(0.16, within(1e-12));
    assertThat(time.onMachines(8, 40, 1e9)).isCloseTo(0.04, within(1e-6));
    assertThat(time.efficiency(8, 40, 1e9, 0.04)).isCloseTo(0.5, within(1e-5));
  }

  @Test
  void theCoordinatorIsAloneHoweverManyMachinesThereAre() {
    RoundTime time = new RoundTime(1e-5, 0, 1e-3, 0, 0);

    assertThat(time.onMachines(1000, 0, 1)).isCloseTo(0.011, within(1e-12));
    assertThat(time.onOneMachine(8, 2, 0, 2)).isCloseTo(0.00408, within(1e-12));
  }

  @Test
  void whoLearnsMeanwhileWaitsOnlyForRoundsThatAreLonger() {
    RoundTime time = new RoundTime(0, 0, 0, 1e-3, 1e-3);

    assertThat(time.overlapped(2, 10, 1e9, 0.09)).isCloseTo(0.9, within(1e-9));
    assertThat(time.overlapped(2, 1000, 1e9, 0.4)).isCloseTo(0.2, within(1e-6));
  }

  @Test
  void nothingIsCarriedWithinAProcess() {
    RoundTime time = new RoundTime(0, 0, 0, 0, 1e-3);

    assertThat(time.onOneMachine(4, 1, 40, 2)).isZero();
    // Half of each replica's change, and of the model for each process, by two processors.
    assertThat(time.onOneMachine(4, 2, 40, 2)).isCloseTo(0.06, within(1e-12));
    assertThat(time.onMachines(1, 40, 1)).isZero();
    assertThat(time.onMachines(2, 40, 1e9)).isCloseTo(0.04, within(1e-6));
  }
}
