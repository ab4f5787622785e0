package dev.millrace.benchmark.rows;

import java.util.Arrays;

/** The area under the ROC curve of all predictions, by sorting them; ties count half. */
final class ExactAuc {

  private long[] scores = new long[1 << 16];
  private int size;

  /** Adds a prediction of at least 0. */
  void add(float prediction, boolean positive) {
    if (size == scores.length) {
      scores = Arrays.copyOf(scores, 2 * size);
    }
    scores[size++] = (long) Float.floatToIntBits(prediction) << 1 | (positive ? 1 : 0);
  }

  /** Returns the area over the predictions from one on, counted from 0. */
  double from(int first) {
    long[] sorted = Arrays.copyOfRange(scores, first, size);
    Arrays.sort(sorted);
    double area = 0;
    long negatives = 0;
    long positives = 0;
    for (int at = 0; at < sorted.length; ) {
      long ofScore = 0;
      int end = at;
      for (; end < sorted.length && sorted[end] >>> 1 == sorted[at] >>> 1; end++) {
        ofScore += sorted[end] & 1;
      }
      long others = end - at - ofScore;
      area += ofScore * (negatives + others / 2.0);
      positives += ofScore;
      negatives += others;
      at = end;
    }
    return area / ((double) positives * negatives);
  }

  int size() {
    return size;
  }
}
