package dev.millrace.exchange.schedule;

import java.time.Duration;

/** Has contributions made by each replica's clock alone. */
record TimedSchedule(boolean waits, Duration interval) implements Schedule {

  TimedSchedule {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("A schedule needs an interval above 0, not " + interval);
    }
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    return Integer.MAX_VALUE;
  }
}
