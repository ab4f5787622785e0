package dev.millrace.exchange.schedule;

import java.time.Duration;

/** A schedule whose first rounds come after every local step, and are of the whole model. */
record WarmUp(Schedule schedule, long rounds) implements Schedule {

  @Override
  public boolean waits() {
    return schedule.waits();
  }

  @Override
  public int delay() {
    return schedule.delay();
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    return round < rounds ? 1 : schedule.localSteps(round, cost);
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
    return round < rounds ? Fragment.WHOLE : schedule.fragment(round);
  }
}
