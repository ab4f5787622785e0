package dev.millrace.exchange.schedule;

import java.io.Serializable;
import java.time.Duration;

/** When replicas contribute, and whether they wait for the round that they contributed to. */
public interface Schedule extends Serializable {

  /** Whether a replica stops training from its contribution until it has the round's result. */
  boolean waits();

  /**
   * Local steps that a replica which waits makes all the same after a contribution, before it takes
   * the round's result in. It is less than the steps between two contributions.
   */
  default int delay() {
    return 0;
  }

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

  /** Returns how many parts the model is exchanged in; 1 where each contribution is whole. */
  default int fragments() {
    return 1;
  }

  /**
   * The blocks of a contribution.
   *
   * @param round how many rounds have been made
   */
  default Fragment fragment(long round) {
    return Fragment.WHOLE;
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
   * Contributes as seldom as it takes to keep the exchange's share of a replica's time under a
   * bound.
   *
   * @param bound greatest share of the time, between 0 and 1
   * @param most local steps before a contribution, whatever the exchange costs
   */
  static Schedule adaptive(double bound, int most, boolean waits) {
    return new AdaptiveSchedule(waits, bound, most);
  }

  /**
   * Returns the same schedule of replicas that make so many local steps while a round is made. Then
   * they take its result in, and wait for it first where it hasn't come: so what a step starts from
   * doesn't depend on how fast messages are. As in Streaming DiLoCo (Douillard et al. 2025).
   */
  default Schedule delayed(int steps) {
    return steps == 0 ? this : new DelayedSchedule(this, steps);
  }

  /**
   * Returns the same schedule for each of {@code count} parts of the model, which contribute in
   * turn: what is said of a contribution holds of two of the same part then.
   */
  default Schedule inFragments(int count) {
    return count == 1 ? this : new FragmentSchedule(this, count);
  }

  /**
   * First so many rounds after every local step, and of the whole model, when replicas that drift
   * apart do most harm.
   */
  default Schedule afterWarmUp(long rounds) {
    return rounds == 0 ? this : new WarmUp(this, rounds);
  }
}
