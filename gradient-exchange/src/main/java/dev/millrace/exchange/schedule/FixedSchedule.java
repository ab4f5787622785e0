package dev.millrace.exchange.schedule;

/** Every {@code frequency} local steps. */
record FixedSchedule(boolean waits, int frequency) implements Schedule {

  FixedSchedule {
    if (frequency < 1) {
      throw new IllegalArgumentException(
          "A schedule needs a frequency of at least 1, not " + frequency);
    }
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    return frequency;
  }
}
