package dev.millrace.model.population;

import java.util.Arrays;

/**
 * What a population predicts: the mean of what its members predict, by their weights. Predictions
 * that are no numbers don't count, as long as any others are there. Also the mean of gradients.
 *
 * <p>Not thread-safe.
 */
final class MemberMean {

  private final int width;
  private final double[] sum;

  /** Makes a mean of predictions of {@code width} floats a row. */
  MemberMean(int width) {
    this.width = width;
    this.sum = new double[width];
  }

  /** Puts the mean of each row into {@code target}. */
  void of(float[][] predictions, double[] weights, int rows, float[] target) {
    for (int row = 0; row < rows; row++) {
      int from = row * width;
      Arrays.fill(sum, 0);
      double total = 0;
      for (int i = 0; i < predictions.length; i++) {
        if (isFinite(predictions[i], row)) {
          total += weights[i];
          for (int j = 0; j < width; j++) {
            sum[j] += weights[i] * predictions[i][from + j];
          }
        }
      }
      for (int j = 0; j < width; j++) {
        target[from + j] = (float) (sum[j] / total);
      }
    }
  }

  /** Whether all that is predicted for a row is numbers. */
  boolean isFinite(float[] predictions, int row) {
    for (int at = row * width; at < (row + 1) * width; at++) {
      if (!Float.isFinite(predictions[at])) {
        return false;
      }
    }
    return true;
  }
}
