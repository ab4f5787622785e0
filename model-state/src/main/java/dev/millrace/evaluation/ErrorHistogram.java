package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How large absolute errors are, of any magnitude, to within 1/16: 16 bins an octave. */
final class ErrorHistogram {

  private static final int SHIFT = 23 - 4;
  private static final double[] SHARES = {
    0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1
  };

  private final long[] counts =
      new long[1 + (Float.floatToRawIntBits(Float.POSITIVE_INFINITY) >> SHIFT)];

  void add(float absoluteError) {
    counts[Float.floatToRawIntBits(absoluteError) >> SHIFT]++;
  }

  /**
   * Returns which errors these shares of the examples don't exceed; empty where there is no
   * example.
   */
  List<RegressionResult.Quantile> quantiles() {
    long all = Counts.sum(counts);
    List<RegressionResult.Quantile> quantiles = new ArrayList<>();
    int bin = -1;
    long upTo = 0;
    for (double share : SHARES) {
      while (upTo < all && (bin < 0 || upTo < share * all)) {
        bin++;
        upTo += counts[bin];
      }
      if (all > 0) {
        quantiles.add(new RegressionResult.Quantile(share, upperEdge(bin)));
      }
    }
    return quantiles;
  }

  private double upperEdge(int bin) {
    return bin == 0 ? 0 : Math.min(Float.MAX_VALUE, Float.intBitsToFloat((bin + 1) << SHIFT));
  }

  void merge(ErrorHistogram other) {
    Counts.add(counts, other.counts);
  }

  void write(DataOutput out) throws IOException {
    Counts.write(counts, out);
  }

  void read(DataInput in) throws IOException {
    Counts.read(counts, in);
  }
}
