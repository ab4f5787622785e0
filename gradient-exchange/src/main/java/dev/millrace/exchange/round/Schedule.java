package dev.millrace.exchange.round;

import java.io.Serializable;

/** When replicas contribute, and whether they wait for the round that they contributed to. */
public interface Schedule extends Serializable {

  /** Whether a replica stops training from its contribution until it has the round's result. */
  boolean waits();

  /** Local steps before a contribution, once {@code round} rounds have been made. */
  int localSteps(long round);

  /** Contribute, wait, go on from the combined model. */
  static Schedule sync(int frequency, long warmUpRounds) {
    return new FixedSchedule(true, frequency, warmUpRounds);
  }

  /**
   * Contribute and train on; the round's result is merged in when it comes (CoCoD-SGD, Shen et al.
   * 2019).
   */
  static Schedule overlap(int frequency, long warmUpRounds) {
    return new FixedSchedule(false, frequency, warmUpRounds);
  }
}
