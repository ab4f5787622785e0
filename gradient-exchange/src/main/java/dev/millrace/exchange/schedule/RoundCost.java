package dev.millrace.exchange.schedule;

/**
 * What rounds cost of late, in nanoseconds: sliding averages over about ten rounds.
 *
 * @param step one local step of the slowest replica
 * @param handling encoding a contribution and taking the global model in
 * @param transit from the last announcement of a round to its result at a replica
 */
public record RoundCost(double step, double handling, double transit) {

  /** The cost before the first round that tells. */
  public static final RoundCost UNKNOWN = new RoundCost(0, 0, 0);

  private static final double NEWEST = 0.1;

  public boolean isKnown() {
    return step > 0;
  }

  /** Returns the time of each round that a replica can't train in. */
  double exchange(boolean waits) {
    return waits ? handling + transit : handling;
  }

  /** Returns what so many such rounds cost. */
  RoundCost times(int rounds) {
    return new RoundCost(step, rounds * handling, rounds * transit);
  }

  /** Returns these costs, and those of one more round. */
  public RoundCost and(RoundCost round) {
    return isKnown()
        ? new RoundCost(
            slide(step, round.step), slide(handling, round.handling), slide(transit, round.transit))
        : round;
  }

  private static double slide(double before, double now) {
    return before + NEWEST * (now - before);
  }
}
