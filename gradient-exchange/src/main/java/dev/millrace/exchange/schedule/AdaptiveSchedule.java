package dev.millrace.exchange.schedule;

/**
 * The fewest local steps at which the exchange takes no more than {@code bound} of the time: with
 * {@code c} what the exchange costs a round and {@code s} what a step costs, {@code c / (c + k s)}
 * is at most the bound.
 */
record AdaptiveSchedule(boolean waits, double bound, int most) implements Schedule {

  AdaptiveSchedule {
    if (!(bound > 0 && bound < 1) || most < 1) {
      throw new IllegalArgumentException(
          "A schedule can't keep a bound of %s with at most %s steps".formatted(bound, most));
    }
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    if (!cost.isKnown()) {
      return 1;
    }
    double steps = Math.ceil(cost.exchange(waits) * (1 - bound) / (bound * cost.step()));
    return (int) Math.max(1, Math.min(most, steps));
  }
}
