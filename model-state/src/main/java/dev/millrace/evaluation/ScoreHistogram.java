package dev.millrace.evaluation;

import dev.millrace.model.score.RocArea;
import dev.millrace.model.score.ScoreBins;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How the scores of positive and of negative examples are distributed, for one output: the ROC
 * curve and the area under it, in memory that doesn't grow with the examples.
 *
 * <p>The area is that of {@link RocArea}, off by {@link #margin} at most.
 */
final class ScoreHistogram {

  /** Points of a curve are at least this far apart in one direction: at most 200 of them. */
  private static final double STEP = 0.01;

  private final ScoreBins bins;
  private final long[] positives;
  private final long[] negatives;

  ScoreHistogram(ScoreBins bins) {
    this.bins = bins;
    this.positives = new long[bins.count()];
    this.negatives = new long[bins.count()];
  }

  void add(float score, boolean positive) {
    (positive ? positives : negatives)[bins.of(score)]++;
  }

  /** Null unless there are both positive and negative examples. */
  Double area() {
    RocArea area = new RocArea();
    for (int bin = 0; bin < positives.length; bin++) {
      area.add(positives[bin], negatives[bin]);
    }
    return pairs() == 0 ? null : (Double) area.value();
  }

  /** Returns by how much the area may be off; null as the area is. */
  Double margin() {
    double sum = 0;
    for (int bin = 0; bin < positives.length; bin++) {
      sum += (double) positives[bin] * negatives[bin];
    }
    return Ratios.of(sum / 2, pairs());
  }

  /**
   * Returns the curve from the highest threshold, at (0, 0), to the lowest, at (1, 1); null as the
   * area is.
   */
  RocCurve curve() {
    double allPositives = total(positives);
    double allNegatives = total(negatives);
    if (pairs() == 0) {
      return null;
    }
    List<RocCurve.Point> points = new ArrayList<>();
    RocCurve.Point last = new RocCurve.Point(1, 0, 0);
    points.add(last);
    long truePositives = 0;
    long falsePositives = 0;
    for (int bin = positives.length - 1; bin >= 0; bin--) {
      truePositives += positives[bin];
      falsePositives += negatives[bin];
      RocCurve.Point point =
          new RocCurve.Point(
              bins.floor(bin), falsePositives / allNegatives, truePositives / allPositives);
      if (bin == 0 || point.isApart(last, STEP)) {
        points.add(point);
        last = point;
      }
    }
    return RocCurve.of(points);
  }

  void merge(ScoreHistogram other) {
    for (int bin = 0; bin < positives.length; bin++) {
      positives[bin] += other.positives[bin];
      negatives[bin] += other.negatives[bin];
    }
  }

  void write(DataOutput out) throws IOException {
    Counts.write(positives, out);
    Counts.write(negatives, out);
  }

  void read(DataInput in) throws IOException {
    Counts.read(positives, in);
    Counts.read(negatives, in);
  }

  private double pairs() {
    return total(positives) * total(negatives);
  }

  private static double total(long[] counts) {
    return Counts.sum(counts);
  }
}
