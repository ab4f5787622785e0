package dev.millrace.exchange.round;

import java.time.Duration;

/** A schedule whose first rounds come after every local step. */
record WarmUp(Schedule schedule, long rounds) implements Schedule {

  @Override
  public boolean waits() {
    return schedule.waits();
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    return round < rounds ? 1 : schedule.localSteps(round, cost);
  }

  @Override
  public Duration interval() {
    return schedule.interval();
  }
}
