package dev.millrace.model;

import dev.millrace.model.score.ScoreCounter;
import dev.millrace.model.score.ScoreCounts;
import dev.millrace.model.shape.ExampleShape;

/**
 * Adds up measures, those of scores among them. Nothing is allocated for an example, and nothing is
 * kept for scores until there are some.
 *
 * <p>Not thread-safe.
 */
public final class MeasuresSum {

  private static final float HALF = 0.5f;

  private final ScoreCounter scores = new ScoreCounter();

  /** All but the scores. */
  private Measures sum = Measures.NONE;

  /**
   * Adds what examples of any structure were predicted as. Each step with labels of its own counts
   * as an example. Of several outputs only the first is measured.
   *
   * @param predictions rows of {@code shape.labels()}, as {@link ModelReplica} gives them
   * @param labels as predictions
   * @param stepsOrNull steps of each row's sequence; null where examples are none
   * @return the measures of these examples alone, without scores
   */
  public Measures add(
      ExampleShape shape, float[] predictions, float[] labels, int[] stepsOrNull, int rows) {
    Measures these = Measures.of(shape, predictions, labels, stepsOrNull, rows);
    sum = sum.plus(these);
    if (shape.hasTwoClasses()) {
      sum = sum.plus(count(shape, predictions, labels, stepsOrNull, rows));
    }
    return these;
  }

  /** Returns what was stated; summed by itself, as losses are, so that a restart changes no bit. */
  private Measures count(
      ExampleShape shape, float[] predictions, float[] labels, int[] stepsOrNull, int rows) {
    boolean each = shape.structure().labelPerStep();
    int positive = shape.positiveOutput();
    double stated = 0;
    for (int row = 0; row < rows; row++) {
      int at = row * shape.labels() + positive;
      for (int step = each ? stepsOrNull[row] : 1; step > 0; step--, at += shape.outputs()) {
        stated += predictions[at];
        scores.add(predictions[at], labels[at] >= HALF);
      }
    }
    return new Measures(0, 0, 0, 0, 0, stated, ScoreCounts.NONE);
  }

  /** Adds what was measured elsewhere. */
  public void add(Measures measures) {
    scores.add(measures.scores());
    sum = sum.plus(measures.withoutScores());
  }

  /** Returns the sum so far. */
  public Measures get() {
    return sum.withScores(scores.counts());
  }

  /** Begins anew. */
  public void clear() {
    scores.clear();
    sum = Measures.NONE;
  }
}
