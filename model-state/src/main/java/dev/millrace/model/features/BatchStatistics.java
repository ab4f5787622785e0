package dev.millrace.model.features;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Computes statistics of some rows, clipped by the statistics so far: see {@link
 * FeatureStatistics#look}. A value counts as the nearest one within its feature's bounds.
 */
final class BatchStatistics {

  /** A normal distribution's deviation, in median distances from its median. */
  private static final double NORMAL = 1.4826;

  private BatchStatistics() {}

  /** Computes the statistics without bounds. */
  static FeatureStatistics asTheyAre(FeatureStatistics known, float[] features, int rows) {
    double[] low = new double[known.features()];
    double[] high = new double[known.features()];
    Arrays.fill(low, Double.NEGATIVE_INFINITY);
    Arrays.fill(high, Double.POSITIVE_INFINITY);
    return of(features, rows, low, high);
  }

  /** Computes the statistics of features none of which is missing. */
  static FeatureStatistics at(FeatureStatistics known, float[] features, int rows) {
    double[] low = new double[known.features()];
    double[] high = new double[known.features()];
    bound(known, features, rows, low, high);
    return of(features, rows, low, high);
  }

  /** Says between what values of each feature count as they are. */
  private static void bound(
      FeatureStatistics known, float[] features, int rows, double[] low, double[] high) {
    int width = known.features();
    double usual = known.mostDeviations(known.count());
    for (int i = 0; i < width; i++) {
      double centre = known.mean(i);
      double deviation = known.deviation(i);
      if (known.clips() && !(deviation > 0) && varies(features, rows, width, i)) {
        double[] present = present(features, rows, width, i);
        centre = median(present);
        deviation = NORMAL * medianDistance(present, centre);
      }
      double most = known.count(i) == known.count() ? usual : known.mostDeviations(known.count(i));
      double distance =
          known.clips() && deviation > 0 ? most * deviation : Double.POSITIVE_INFINITY;
      low[i] = centre - distance;
      high[i] = centre + distance;
    }
  }

  /**
   * Computes the statistics of features that may be missing: feature by feature, of the values that
   * there are.
   */
  static FeatureStatistics atPresent(FeatureStatistics known, float[] features, int rows) {
    int width = known.features();
    if (!isAnyMissing(features, rows * width)) {
      return at(known, features, rows);
    }
    long[] present = new long[width];
    double[] mean = new double[width];
    double[] squares = new double[width];
    double[] low = new double[width];
    double[] high = new double[width];
    bound(known, features, rows, low, high);
    double[] column = new double[rows];
    for (int i = 0; i < width; i++) {
      int count = 0;
      for (int at = i; at < rows * width; at += width) {
        if (!Float.isNaN(features[at])) {
          column[count++] = Math.min(Math.max(features[at], low[i]), high[i]);
        }
      }
      present[i] = count;
      mean[i] = mean(column, count);
      squares[i] = squares(column, count, mean[i]);
    }
    return new FeatureStatistics(rows, present, mean, squares);
  }

  private static boolean isAnyMissing(float[] features, int length) {
    for (int i = 0; i < length; i++) {
      if (Float.isNaN(features[i])) {
        return true;
      }
    }
    return false;
  }

  private static double mean(double[] values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
    }
    return count == 0 ? 0 : sum / count;
  }

  private static double squares(double[] values, int count, double mean) {
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double difference = values[i] - mean;
      squares += difference * difference;
    }
    return squares;
  }

  /** Most features without a scale are constant: those cost no more than this look. */
  private static boolean varies(float[] features, int rows, int width, int feature) {
    for (int row = 1; row < rows; row++) {
      if (features[row * width + feature] != features[feature]) {
        return true;
      }
    }
    return false;
  }

  private static double[] present(float[] features, int rows, int width, int feature) {
    return IntStream.range(0, rows)
        .mapToDouble(row -> features[row * width + feature])
        .filter(value -> !Double.isNaN(value))
        .toArray();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values.length == 0 ? 0 : values[values.length / 2];
  }

  private static double medianDistance(double[] values, double centre) {
    return median(Arrays.stream(values).map(value -> Math.abs(value - centre)).toArray());
  }

  private static FeatureStatistics of(float[] features, int rows, double[] low, double[] high) {
    int width = low.length;
    double[] mean = new double[width];
    double[] squares = new double[width];
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        mean[i] += Math.min(Math.max(features[at + i], low[i]), high[i]);
      }
    }
    for (int i = 0; i < width && rows > 0; i++) {
      mean[i] /= rows;
    }
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        double difference = Math.min(Math.max(features[at + i], low[i]), high[i]) - mean[i];
        squares[i] += difference * difference;
      }
    }
    return new FeatureStatistics(rows, mean, squares);
  }
}
