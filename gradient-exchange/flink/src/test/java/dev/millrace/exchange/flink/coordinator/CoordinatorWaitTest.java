package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.LoggedWaits;
import dev.millrace.exchange.round.StopRules;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/** How long {@link CoordinatorOperator} waits, by the timers that it sets. */
class CoordinatorWaitTest {

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration ALMOST = CoordinatorSetup.TIMEOUT.minus(MILLI);

  @Test
  void aRoundWithoutContributionsWaitsForNothing() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      assertThat(coordinator.timers()).isZero();
    }
  }

  @Test
  void atTheTimeoutARoundIsMadeOfThoseWhoAreThere() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);
      assertThat(coordinator.timers()).isEqualTo(1);

      coordinator.advance(ALMOST);
      assertThat(coordinator.rounds()).isEmpty();
      coordinator.advance(MILLI);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
      assertThat(coordinator.count("timeouts")).isEqualTo(1);
    }
  }

  @Test
  void theTimeoutCountsFromTheFirstContribution() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 3)) {
      coordinator.announce(0, 1);
      coordinator.advance(ALMOST);
      coordinator.announce(1, 1);

      coordinator.advance(MILLI);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
    }
  }

  @Test
  void withPatienceTheTimerMovesEarlierOnceHalfAreThere() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().patience(2), 4)) {
      coordinator.advance(SECOND);
      coordinator.announce(0, 1);
      coordinator.announce(1, 1);
      assertThat(coordinator.timers()).as("the later one is gone").isEqualTo(1);

      coordinator.advance(SECOND.multipliedBy(2).minus(MILLI));
      assertThat(coordinator.rounds()).isEmpty();
      coordinator.advance(MILLI);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
    }
  }

  @Test
  void withPatienceTheTimeoutHoldsUntilHalfAreThere() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().patience(2), 4)) {
      coordinator.announce(0, 1);

      coordinator.advance(ALMOST);

      assertThat(coordinator.rounds()).isEmpty();
    }
  }

  @Test
  void aTimerOfARoundThatWasMadeInTimeDoesNotEndTheNext() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);
      coordinator.advance(SECOND);
      coordinator.announce(1, 1);
      coordinator.announce(0, 2);
      assertThat(coordinator.rounds()).hasSize(1);

      coordinator.advance(ALMOST);
      assertThat(coordinator.rounds()).as("when the first round's time is up").isEmpty();
      coordinator.advance(MILLI);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
    }
  }

  @Test
  void whoIsLateJoinsALaterRoundAndIsWaitedForAgain() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);
      coordinator.advance(CoordinatorSetup.TIMEOUT);
      coordinator.announce(0, 2);
      assertThat(coordinator.rounds())
          .as("the second is not waited for")
          .containsExactly(List.of(0), List.of(0));

      coordinator.announce(1, 1);
      assertThat(coordinator.rounds()).isEmpty();
      coordinator.announce(0, 3);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
    }
  }

  /** Models may take long to load, and one process longer than another. */
  @Test
  void afterARestoreTheTimeoutCountsFromTheLastHello() throws Exception {
    CoordinatorSetup setup = new CoordinatorSetup();
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 2)) {
      coordinator.announce(0, 1);
      saved = coordinator.snapshot(1);
    }
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.hello(0, 2);
      coordinator.advance(CoordinatorSetup.TIMEOUT.multipliedBy(9));
      assertThat(coordinator.rounds()).as("while a replica still starts").isEmpty();

      coordinator.hello(1, 2);
      coordinator.advance(ALMOST);
      assertThat(coordinator.rounds()).isEmpty();
      coordinator.announce(1, 1);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
      assertThat(coordinator.count("timeouts")).isZero();
    }
  }

  @Test
  void aReplicaThatStartsForLongIsNamedInTheLog() throws Exception {
    try (var log = new LoggedWaits();
        var coordinator = CoordinatorHarness.start(new CoordinatorSetup())) {
      coordinator.advance(LoggedWaits.INTERVAL);
      coordinator.advance(LoggedWaits.INTERVAL);
      coordinator.hello(0, 3);
      coordinator.announce(0, 1);
      coordinator.hello(2, 3);
      coordinator.advance(LoggedWaits.INTERVAL);
      coordinator.advance(LoggedWaits.INTERVAL);

      String wait = "No round is made until all replicas have started, and ";
      assertThat(log.told())
          .satisfiesExactly(
              none -> assertThat(none).startsWith(wait + "each has yet to;"),
              one -> assertThat(one).startsWith(wait + "{1} has yet to;"));
    }
  }

  @Test
  void trainingEndsWhenItsTimeIsUpThoughNoRoundIsMade() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(timed(Duration.ofSeconds(100)), 1)) {
      coordinator.advance(Duration.ofSeconds(99));
      assertThat(coordinator.heads()).isEmpty();

      for (int second = 0; second < 11; second++) {
        coordinator.advance(SECOND);
      }

      assertThat(coordinator.heads())
          .extracting(delivery -> delivery.head().ended())
          .containsExactly(true);
      assertThat(coordinator.timers()).as("nothing is left to be looked at").isZero();
    }
  }

  @Test
  void aShortTimeIsLookedAtMoreOften() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(timed(SECOND), 1)) {
      for (int tenth = 0; tenth < 9; tenth++) {
        coordinator.advance(Duration.ofMillis(100));
      }
      assertThat(coordinator.heads()).isEmpty();

      coordinator.advance(Duration.ofMillis(100));

      assertThat(coordinator.heads())
          .extracting(delivery -> delivery.head().ended())
          .containsExactly(true);
    }
  }

  @Test
  void theTimeBeforeARestoreCounts() throws Exception {
    CoordinatorSetup setup = timed(Duration.ofSeconds(100));
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      saved = coordinator.snapshot(1);
    }

    long later = CoordinatorHarness.START + Duration.ofSeconds(100).toMillis();
    try (var coordinator = CoordinatorHarness.restore(setup, saved, later)) {
      coordinator.hello(0, 1);

      assertThat(coordinator.heads())
          .extracting(delivery -> delivery.head().ended())
          .containsExactly(true);
    }
  }

  @Test
  void afterTheEndOfTheInputTheTimeIsNotLookedAt() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(timed(SECOND), 1)) {
      assertThat(coordinator.timers()).isEqualTo(1);

      coordinator.endInput();

      assertThat(coordinator.timers()).isZero();
    }
  }

  private static CoordinatorSetup timed(Duration limit) {
    return new CoordinatorSetup().stop(new StopRules(limit, 0, 0, 0, 0));
  }
}
