package dev.millrace.evaluation;

import java.util.List;

/**
 * A ROC curve: what share of the negative and of the positive examples is taken for positive where
 * all with a score of at least the threshold are. All arrays are of one length, in the order of
 * falling thresholds.
 */
public record RocCurve(
    double[] thresholds, double[] falsePositiveRates, double[] truePositiveRates) {

  /** One threshold, and what follows from it. */
  record Point(double threshold, double falsePositiveRate, double truePositiveRate) {

    boolean isApart(Point other, double step) {
      return falsePositiveRate - other.falsePositiveRate >= step
          || truePositiveRate - other.truePositiveRate >= step;
    }
  }

  static RocCurve of(List<Point> points) {
    return new RocCurve(
        points.stream().mapToDouble(Point::threshold).toArray(),
        points.stream().mapToDouble(Point::falsePositiveRate).toArray(),
        points.stream().mapToDouble(Point::truePositiveRate).toArray());
  }
}
