package dev.millrace.exchange.aggregate;

import java.util.Arrays;

/** Coordinate-wise trimmed mean; with a share of a half it is the coordinate-wise median. */
record TrimmedMean(double share) implements Aggregator {

  TrimmedMean {
    if (!(share >= 0 && share <= 0.5)) {
      throw new IllegalArgumentException(
          "A trimmed mean leaves out a share from 0 to 0.5 at either end, not " + share);
    }
  }

  @Override
  public void aggregate(float[][] changes, double[] weights, int from, int to, float[] result) {
    int members = weights.length;
    int trimmed = Math.min((int) (share * members), (members - 1) / 2);
    float[] sorted = new float[members];
    for (int i = from; i < to; i++) {
      for (int member = 0; member < members; member++) {
        sorted[member] = changes[member][i];
      }
      Arrays.sort(sorted);
      float sum = 0;
      for (int at = trimmed; at < members - trimmed; at++) {
        sum += sorted[at];
      }
      result[i] = sum / (members - 2 * trimmed);
    }
  }
}
