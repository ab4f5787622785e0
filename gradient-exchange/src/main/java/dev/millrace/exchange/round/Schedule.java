package dev.millrace.exchange.round;

import java.io.Serializable;
import java.time.Duration;

/** When replicas contribute, and whether they wait for the round that they contributed to. */
public interface Schedule extends Serializable {

  /** Whether a replica stops training from its contribution until it has the round's result. */
  boolean waits();

  /**
   * Local steps before a contribution, the same for every replica.
   *
   * @param round how many rounds have been made
   * @param cost what the newest of them cost
   */
  int localSteps(long round, RoundCost cost);

  /**
   * The time after which a replica contributes even if it hasn't made as many steps; {@link
   * Duration#ZERO} for no such time.
   */
  default Duration interval() {
    return Duration.ZERO;
  }

  /** Every {@code frequency} local steps. */
  static Schedule every(int frequency, boolean waits) {
    return new FixedSchedule(waits, frequency);
  }

  /** Every so often, if there is anything to contribute. */
  static Schedule every(Duration interval, boolean waits) {
    return new TimedSchedule(waits, interval);
  }

  /**
   * As seldom as it takes to keep the exchange's share of a replica's time under a bound.
   *
   * @param bound greatest share of the time, between 0 and 1
   * @param most local steps before a contribution, whatever the exchange costs
   */
  static Schedule adaptive(double bound, int most, boolean waits) {
    return new AdaptiveSchedule(waits, bound, most);
  }

  /**
   * First so many rounds after every local step, when replicas that divergence apart do most harm.
   */
  default Schedule afterWarmUp(long rounds) {
    return rounds == 0 ? this : new WarmUp(this, rounds);
  }
}
