package dev.millrace.model.score;

/**
 * The area under the ROC curve (AUC): the probability that a positive example has a higher score
 * than a negative one. Scores of one bin count as equal, by half.
 *
 * <p>Not thread-safe.
 */
public final class RocArea {

  private double ordered;
  private double positives;
  private double negatives;

  /** Adds the examples of a bin; the bins come in the order of their scores, the lowest first. */
  public void add(long morePositives, long moreNegatives) {
    ordered += morePositives * (negatives + moreNegatives / 2.0);
    positives += morePositives;
    negatives += moreNegatives;
  }

  /** NaN unless there are both positive and negative examples. */
  public double value() {
    return ordered / (positives * negatives);
  }
}
