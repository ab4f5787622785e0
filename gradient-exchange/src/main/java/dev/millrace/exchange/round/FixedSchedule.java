package dev.millrace.exchange.round;

/**
 * Every {@code frequency} local steps; every step for the first {@code warmUpRounds} rounds, when
 * replicas that drift apart do most harm.
 */
record FixedSchedule(boolean waits, int frequency, long warmUpRounds) implements Schedule {

  FixedSchedule {
    if (frequency < 1 || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "A schedule needs a frequency of at least 1 and warm-up rounds of at least 0, not %d and %d"
              .formatted(frequency, warmUpRounds));
    }
  }

  @Override
  public int localSteps(long round) {
    return round < warmUpRounds ? 1 : frequency;
  }
}
