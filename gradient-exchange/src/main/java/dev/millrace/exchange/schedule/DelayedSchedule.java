package dev.millrace.exchange.schedule;

import java.time.Duration;

/**
 * A schedule whose replicas make {@code delay} local steps while a round is made, and then wait.
 */
record DelayedSchedule(Schedule schedule, int delay) implements Schedule {

  DelayedSchedule {
    if (delay < 0 || !schedule.waits()) {
      throw new IllegalArgumentException(
          "A delay of at least 0 steps is of a schedule that waits, not %s of %s"
              .formatted(delay, schedule));
    }
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    return schedule.localSteps(round, cost);
  }

  @Override
  public Duration interval() {
    return schedule.interval();
  }

  @Override
  public int fragments() {
    return schedule.fragments();
  }

  @Override
  public Fragment fragment(long round) {
    return schedule.fragment(round);
  }
}
