package dev.millrace.job.follow;

import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.IdLists;

/** Makes a model's features of examples as they were read. Belongs to one thread. */
public final class CompletedExamples {

  private final FeatureCompletion completion;
  private final ServedRows.Reader rowsOrNull;

  CompletedExamples(FeatureCompletion completion, ServedRows.Reader rowsOrNull) {
    this.completion = completion;
    this.rowsOrNull = rowsOrNull;
  }

  /**
   * Completes the features of the first {@code rows} examples, in place.
   *
   * @param features rows of the shape's features
   * @param words rows of the shape's words, null for a missing one
   * @param ids rows of the shape's ids
   * @param stepsOrNull of each row's sequence; null where examples are none
   */
  public void complete(float[] features, String[] words, IdLists ids, int[] stepsOrNull, int rows) {
    if (rowsOrNull != null) {
      rowsOrNull.complete(ids, features);
    }
    completion.apply(features, words, stepsOrNull, rows);
  }
}
