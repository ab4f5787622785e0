package dev.millrace.model;

import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the examples of a batch that a network can't compute with, and predicts for the others:
 * each by itself, and only where the batch as a whole has failed.
 */
public final class UnusableRows {

  private UnusableRows() {}

  /**
   * Predicts for a batch, whose arrays are those of {@link ModelReplica#predict}.
   *
   * @return for each row that the network can't compute with why it can't, for people; the outputs
   *     of these are undefined
   */
  public static SortedMap<Integer, String> predict(
      ModelReplica model, float[] features, int[] stepsOrNull, int rows, float[] outputs) {
    try {
      model.predict(features, stepsOrNull, rows, outputs);
      return Collections.emptySortedMap();
    } catch (UnusableExamplesException e) {
      return find(model, features, stepsOrNull, rows, outputs);
    }
  }

  /** Does the same where the batch is known to fail. */
  public static SortedMap<Integer, String> find(
      ModelReplica model, float[] features, int[] stepsOrNull, int rows, float[] outputs) {
    ExampleShape shape = model.spec().shape();
    int width = shape.features();
    SortedMap<Integer, String> unusable = new TreeMap<>();
    float[] prediction = new float[shape.labels()];
    for (int row = 0; row < rows; row++) {
      float[] alone = Arrays.copyOfRange(features, row * width, (row + 1) * width);
      try {
        model.predict(
            alone, stepsOrNull == null ? null : new int[] {stepsOrNull[row]}, 1, prediction);
        System.arraycopy(prediction, 0, outputs, row * shape.labels(), shape.labels());
      } catch (UnusableExamplesException e) {
        unusable.put(row, say(e));
      }
    }
    return unusable;
  }

  /** Says why a network can't compute with an example, and what to do. */
  public static String say(UnusableExamplesException failure) {
    return ("the network can't compute with it: %s. Have features hold what its layers take, such"
            + " as ids from 0 to below an embedding's nIn")
        .formatted(failure.getMessage());
  }
}
