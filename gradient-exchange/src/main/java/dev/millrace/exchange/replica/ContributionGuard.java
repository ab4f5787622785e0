package dev.millrace.exchange.replica;

import java.io.Serializable;

/**
 * What keeps a replica that diverges out of the model.
 *
 * @param mostChange the greatest change of the parameters that one contribution may make, as {@link
 *     Replica#divergence} has it; and a hundredth of how many standard deviations away from what is
 *     known of the features its own may lie, where they are standardized and not clipped; infinite
 *     for any
 */
public record ContributionGuard(double mostChange) implements Serializable {

  /**
   * Rounds in which parameters may change by any factor: they are small by chance at first, and
   * have yet to find the scale of the labels.
   */
  static final long EARLY_ROUNDS = 10;

  /**
   * The limit is so wide that what is rare isn't refused: with ten such changes, a feature that is
   * 1 in one of ten million examples, and else 0, may be 1 in a contribution of 24 examples.
   */
  private static final double DEVIATIONS = 100;

  double mostDistance() {
    return DEVIATIONS * mostChange;
  }

  double mostChange(long round) {
    return round < EARLY_ROUNDS ? Double.POSITIVE_INFINITY : mostChange;
  }
}
