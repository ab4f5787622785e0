package dev.millrace.exchange.codec;

import java.io.Serializable;

/**
 * How large a value has to be for the threshold codec to send it, from one change to the next.
 * Stateless: the threshold itself is all that is kept, by the encoder, for each segment.
 */
public interface ThresholdRule extends Serializable {

  /** The share of the values that a warm-up begins with: that of Lin et al. */
  double FIRST_SHARE = 0.25;

  /** The threshold of the first change: finite, at least {@link Float#MIN_NORMAL}. */
  float first();

  /**
   * The threshold of the next change. The encoder keeps what this returns within the normal floats.
   *
   * @param threshold of the change that has been sent
   * @param share of its values that were sent, 0 to 1
   */
  float next(float threshold, double share);

  /** Whether {@link #of} goes by the change itself. */
  default boolean looksAtChanges() {
    return false;
  }

  /**
   * The threshold for a piece of a change.
   *
   * @param sample of the piece, where {@link #looksAtChanges}
   * @param kept what {@link #first} or {@link #next} gave, or the threshold of the piece before
   * @param examples that the whole job has learned
   */
  default float of(Sample sample, float kept, long examples) {
    return kept;
  }

  /** Always the same. */
  static ThresholdRule fixed(float threshold) {
    return new FixedThreshold(threshold);
  }

  /**
   * Adapts the threshold as {@link #adaptive(float, double, double, double)} does, with DL4J's
   * defaults.
   */
  static ThresholdRule adaptive() {
    return adaptive(1e-4f, 1e-4, 1e-2, Math.pow(0.5, 1 / 20.0));
  }

  /**
   * Shrinks the threshold while fewer values are sent than {@code least}, and grows it while more
   * are than {@code most}, as DL4J's AdaptiveThresholdAlgorithm does.
   *
   * @param least share of the values
   * @param most share of the values
   * @param decay by which the threshold is multiplied to shrink, and divided to grow; between 0 and
   *     1, without these
   */
  static ThresholdRule adaptive(float first, double least, double most, double decay) {
    return new AdaptiveThreshold(first, least, most, decay);
  }

  /**
   * Shrinks the threshold while fewer values are sent than {@code share}, and grows it while more
   * are, as DL4J's TargetSparsityThresholdAlgorithm does.
   *
   * @param decay as of {@link #adaptive(float, double, double, double)}
   */
  static ThresholdRule target(float first, double share, double decay) {
    return new AdaptiveThreshold(first, share, share, decay);
  }

  /**
   * Whatever about {@code share} of the values reach, estimated from a sample of each block's part
   * of a segment; in small parts more, at least 64 values. It follows changes at once, where a
   * threshold that adapts lags behind them.
   *
   * @param share above 0, at most 1
   */
  static ThresholdRule quantile(double share) {
    return quantile(share, 0);
  }

  /**
   * Takes the threshold as {@link #quantile(double)} does, but of a greater share at first: it
   * falls exponentially, from {@link #FIRST_SHARE} to {@code share}, while the whole job learns its
   * first {@code warmUp} examples (Deep Gradient Compression: Lin et al. 2018). A share that isn't
   * less stays as it is.
   */
  static ThresholdRule quantile(double share, long warmUp) {
    return new QuantileThreshold(share, warmUp);
  }
}
