package dev.millrace.exchange.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.Member;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RoundClock;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.model.ModelVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final RoundCost COST = new RoundCost(10, 6, 34);

  @Test
  void warmsUpStepByStep() {
    Schedule schedule = Schedule.every(7, true).afterWarmUp(3);

    assertThat(schedule.localSteps(2, COST)).isEqualTo(1);
    assertThat(schedule.localSteps(3, COST)).isEqualTo(7);
  }

  @Test
  void goesByTheClockAloneWhereAnIntervalIsGiven() {
    Schedule schedule = Schedule.every(Duration.ofSeconds(2), false).afterWarmUp(1);

    assertThat(schedule.interval()).isEqualTo(Duration.ofSeconds(2));
    assertThat(schedule.localSteps(0, COST)).isEqualTo(1);
    assertThat(schedule.localSteps(1, COST)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void takesTheFewestStepsThatKeepTheBound() {
    // Who waits pays 40 a round: 36 steps of 10 make it a tenth. Who doesn't pays 6.
    assertThat(Schedule.adaptive(0.1, 100, true).localSteps(5, COST)).isEqualTo(36);
    assertThat(Schedule.adaptive(0.1, 100, false).localSteps(5, COST)).isEqualTo(6);
    assertThat(Schedule.adaptive(0.1, 20, true).localSteps(5, COST)).isEqualTo(20);
    assertThat(Schedule.adaptive(0.1, 20, true).localSteps(0, RoundCost.UNKNOWN)).isEqualTo(1);
  }

  /** Whatever the parts: 7 steps from one contribution of a fragment to its next. */
  @Test
  void eachFragmentHasItsTurnOnceInAllLocalSteps() {
    for (int parts = 1; parts <= 7; parts++) {
      Schedule schedule = Schedule.every(7, true).inFragments(parts);
      for (int first = 0; first < parts; first++) {
        int steps = 0;
        for (int round = first; round < first + parts; round++) {
          assertThat(schedule.localSteps(round, COST)).isBetween(7 / parts, 7 / parts + 1);
          steps += schedule.localSteps(round, COST);
        }
        assertThat(steps).as("%d parts", parts).isEqualTo(7);
        assertThat(schedule.fragment(parts + first)).isEqualTo(new Fragment(first, parts));
      }
    }
    assertThat(Schedule.every(7, true).fragment(3)).isEqualTo(Fragment.WHOLE);
  }

  /** A round of a fifth of the model costs what is measured of it, and is kept to the bound. */
  @Test
  void theBoundHoldsOfRoundsOfAFragment() {
    Schedule schedule = Schedule.adaptive(0.1, 1_000, true).inFragments(5);

    assertThat(schedule.localSteps(5, COST)).isEqualTo(36);
    assertThat(Schedule.adaptive(0.1, 50, true).inFragments(5).localSteps(5, COST)).isEqualTo(10);
    assertThat(schedule.localSteps(0, RoundCost.UNKNOWN)).isEqualTo(1);
  }

  @Test
  void fragmentsShareTheInterval() {
    Schedule schedule = Schedule.every(Duration.ofSeconds(2), true).inFragments(4);

    assertThat(schedule.interval()).isEqualTo(Duration.ofMillis(500));
    assertThat(schedule.localSteps(5, COST)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theWholeModelWarmsUp() {
    Schedule schedule = Schedule.every(8, true).inFragments(4).afterWarmUp(3);

    assertThat(schedule.fragment(2)).isEqualTo(Fragment.WHOLE);
    assertThat(schedule.fragment(3)).isEqualTo(new Fragment(3, 4));
    assertThat(schedule.fragments()).isEqualTo(4);
    assertThat(schedule.localSteps(2, COST)).isEqualTo(1);
    assertThat(schedule.localSteps(3, COST)).isEqualTo(2);
  }

  @Test
  void theWaitForAStragglerIsNoCostOfTheExchange() {
    RoundClock clock = new RoundClock();
    // Replica 1 announces 90 after replica 0, in each of two rounds.
    clock.announced(announcement(0, 1, 0), 10);
    clock.announced(announcement(1, 1, 0), 100);
    close(clock, 1, 100);
    clock.announced(announcement(0, 2, 95), 210);
    clock.announced(announcement(1, 2, 5), 300);

    RoundTimeline timeline = close(clock, 2, 300);

    assertThat(timeline.members().get(0).waited()).isEqualTo(90);
    assertThat(timeline.members().get(0).exchange()).isEqualTo(5);
    assertThat(timeline.members().get(1).waited()).isZero();
    assertThat(timeline.members().get(1).exchange()).isEqualTo(5);
    assertThat(clock.cost().transit()).isLessThanOrEqualTo(5);
    assertThat(clock.cost().step()).isEqualTo(20);
  }

  private static RoundTimeline close(RoundClock clock, long round, long nanos) {
    return clock.closed(
        new ModelVersion(0, round),
        List.of(new Member(0, round, 1), new Member(1, round, 1)),
        nanos,
        0);
  }

  private static Announcement announcement(int replica, long sequence, long latency) {
    return new Announcement(replica, sequence, null, new Phases(2, 40, 3, 2, latency, 100));
  }
}
