package dev.millrace.exchange.aggregate;

import java.io.Serializable;

/** Combines the changes that the members of a round contributed to one parameter block. */
public interface Aggregator extends Serializable {

  /**
   * Sets the first {@code length} values of {@code result} to the combination of the changes.
   * Deterministic: the same changes in the same order give the same bits.
   *
   * @param changes one row a member, in the order of replica numbers; at least one
   * @param weights example weight of each member, above 0
   */
  void aggregate(float[][] changes, double[] weights, int length, float[] result);

  /** The mean, weighted by examples (McMahan et al. 2017, federated averaging). */
  static Aggregator weightedMean() {
    return new WeightedMean();
  }
}
