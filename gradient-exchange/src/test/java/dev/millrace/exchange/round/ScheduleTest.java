package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
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
