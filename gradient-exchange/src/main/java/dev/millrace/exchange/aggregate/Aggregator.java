package dev.millrace.exchange.aggregate;

import java.io.Serializable;

/**
 * Combines the changes that the members of a round contributed to one parameter block, each value
 * by itself, or all together.
 */
public interface Aggregator extends Serializable {

  /**
   * Sets the values of {@code result} from index {@code from} to {@code to}, exclusive, to the
   * combination of the changes. Deterministic: the same changes in the same order give the same
   * bits.
   *
   * @param changes one row a member, in the order of replica numbers; at least {@code
   *     weights.length} rows, of which the rest is left aside
   * @param weights example weight of each member, above 0; at least one
   */
  void aggregate(float[][] changes, double[] weights, int from, int to, float[] result);

  /**
   * Returns the aggregator of changes of the updater's state, which describes gradients and isn't
   * made of steps that add up.
   */
  default Aggregator ofUpdaterState() {
    return this;
  }

  /**
   * Whether each member counts for all: of a round without some of them, the result is then to be
   * multiplied by the share of those that are there.
   */
  default boolean averages() {
    return true;
  }

  /**
   * Whether the combination of all members is that of what parts of them combine to, each with the
   * weights of its members: then members may be combined on their way. But for rounding.
   */
  default boolean combinesInParts() {
    return false;
  }

  /** The mean, weighted by examples (McMahan et al. 2017, federated averaging). */
  static Aggregator weightedMean() {
    return new WeightedMean();
  }

  /**
   * The sum: each replica's steps count in full, as where updates are shared instead of averaged
   * (Strom 2015). The updater's state is averaged all the same.
   */
  static Aggregator sum() {
    return new Sum();
  }

  /**
   * Takes, of each value, the mean without the greatest and the smallest (Yin et al. 2018). Every
   * member counts the same, whatever its examples.
   *
   * @param share of the members left out at either end, from 0 to 0.5; rounded down, so that it
   *     takes 1 / share members for one to be left out
   */
  static Aggregator trimmedMean(double share) {
    return new TrimmedMean(share);
  }

  /**
   * Takes, of each value, the median; of an even number of members, the mean of the middle two (Yin
   * et al. 2018). Fewer than half of the members can't move it out of the range of the rest.
   */
  static Aggregator median() {
    return new TrimmedMean(0.5);
  }
}
