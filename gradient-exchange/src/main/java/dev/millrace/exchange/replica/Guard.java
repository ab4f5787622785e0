package dev.millrace.exchange.replica;

import java.io.Serializable;

/**
 * What keeps a replica that diverges out of the model.
 *
 * @param resetAfter how many contributions it refuses in a row before it goes back to the global
 *     model; at least 1
 * @param mostChange the greatest change of the parameters that one contribution may make, as {@link
 *     Replica#drift} has it; infinite for any
 */
public record Guard(int resetAfter, double mostChange) implements Serializable {

  /**
   * Rounds in which parameters may change by any factor: they are small by chance at first, and
   * have yet to find the scale of the labels.
   */
  static final long EARLY_ROUNDS = 10;

  double mostChange(long round) {
    return round < EARLY_ROUNDS ? Double.POSITIVE_INFINITY : mostChange;
  }
}
