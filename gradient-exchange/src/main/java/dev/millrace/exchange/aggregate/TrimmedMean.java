package dev.millrace.exchange.aggregate;

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
        insert(changes[member][i], sorted, member);
      }
      float sum = 0;
      for (int at = trimmed; at < members - trimmed; at++) {
        sum += sorted[at];
      }
      result[i] = sum / (members - 2 * trimmed);
    }
  }

  /** Rounds have few members, so that moving greater values up beats any other way to sort. */
  private static void insert(float value, float[] sorted, int length) {
    int at = length;
    while (at > 0 && sorted[at - 1] > value) {
      sorted[at] = sorted[at - 1];
      at--;
    }
    sorted[at] = value;
  }
}
