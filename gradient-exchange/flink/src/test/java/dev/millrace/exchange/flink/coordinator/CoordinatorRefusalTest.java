package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.round.RefusedContributions;
import dev.millrace.exchange.round.RoundReport;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.junit.jupiter.api.Test;

/** What {@link CoordinatorOperator} makes of contributions that replicas refused to make. */
class CoordinatorRefusalTest {

  @Test
  void aRefusalLeavesTheRoundToTheOthersAndItsRecordsCountAsRejected() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);

      coordinator.refuse(1, 7);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
      assertThat(coordinator.gauge("rejectedRecords")).isEqualTo(1L);
      assertThat(coordinator.count("refusals")).isEqualTo(1);
    }
  }

  /** Otherwise nobody would hear of what is refused last, or where no round follows. */
  @Test
  void eachRefusalIsReportedThoughNoRoundFollows() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.refuse(0, 7);
      coordinator.refuse(1, 8);

      assertThat(coordinator.taken(ExchangeOutputs.REPORTS))
          .extracting(RoundReport::refused)
          .containsExactly(
              new RefusedContributions(1, 1, "values that exploded"),
              new RefusedContributions(2, 2, "values that exploded"));
    }
  }

  /** The last report of a job that is stopped with a savepoint is the one before that. */
  @Test
  void whatIsToBeReportedIsReportedBeforeABarrier() throws Exception {
    CoordinatorSetup setup = new CoordinatorSetup().reportInterval(Duration.ofHours(1));
    try (var coordinator = CoordinatorHarness.greeted(setup, 2)) {
      coordinator.refuse(0, 7);
      coordinator.refuse(1, 8);
      assertThat(coordinator.taken(ExchangeOutputs.REPORTS)).hasSize(1);

      coordinator.beforeBarrier(1);

      assertThat(coordinator.taken(ExchangeOutputs.REPORTS))
          .singleElement()
          .satisfies(report -> assertThat(report.refused().contributions()).isEqualTo(2));
    }
  }

  @Test
  void refusalsAreCountedOverARestore() throws Exception {
    OperatorSubtaskState saved;
    CoordinatorSetup setup = new CoordinatorSetup();
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.refuse(0, 7);
      saved = coordinator.snapshot(1);
      coordinator.refuse(0, 8);
    }
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.greet(1);
      coordinator.refuse(0, 8);

      assertThat(coordinator.taken(ExchangeOutputs.REPORTS))
          .singleElement()
          .satisfies(
              report -> {
                assertThat(report.refused().contributions()).isEqualTo(2);
                assertThat(report.refused().records()).isEqualTo(2);
                assertThat(report.rejected()).isEqualTo(2);
              });
    }
  }

  @Test
  void moreRefusalsInARowThanAllowedFailTheJobWithoutARestart() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(2), 2)) {
      coordinator.refuse(0, 1);
      coordinator.refuse(0, 2);
      coordinator.refuse(1, 3);

      assertThatThrownBy(() -> coordinator.refuse(0, 4))
          .isInstanceOf(NonRecoverableException.class)
          .hasMessageContaining("3 contributions in a row of replica 0")
          .hasMessageEndingWith("values that exploded. Ask for fewer.")
          .satisfies(
              failure ->
                  assertThat(ThrowableClassifier.getThrowableType(failure))
                      .isEqualTo(ThrowableType.NonRecoverableError));
    }
  }

  @Test
  void aContributionEndsARowOfRefusals() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(2), 1)) {
      coordinator.refuse(0, 1);
      coordinator.refuse(0, 2);
      coordinator.announce(0, 1);
      coordinator.refuse(0, 3);
      coordinator.refuse(0, 4);

      assertThat(coordinator.count("refusals")).isEqualTo(4);
    }
  }

  @Test
  void withoutALimitAnyNumberOfRefusalsIsBorne() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(0), 1)) {
      for (int offset = 0; offset < 100; offset++) {
        coordinator.refuse(0, offset);
      }

      assertThat(coordinator.count("refusals")).isEqualTo(100);
    }
  }
}
