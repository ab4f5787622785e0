package dev.millrace.onnx;

import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.io.InvalidModelException;

/** How far predictions of ONNX Runtime are from those of a model's own engine. */
public final class PredictionDifference {

  /** The greatest difference of probabilities, and of any numbers that are at most 1. */
  private static final double MOST = 1e-5;

  /** Where numbers are larger, the greatest difference as a share of the largest one. */
  private static final double MOST_SHARE = 1e-4;

  private double difference;
  private double largest = 1;
  private int rows;

  /**
   * Compares predictions for some examples.
   *
   * @param own of the engine
   * @param given of ONNX Runtime, as many
   * @throws InvalidModelException if the engine's aren't all numbers
   */
  public void add(float[] own, float[] given, int examples) {
    for (int i = 0; i < own.length; i++) {
      if (!Float.isFinite(own[i])) {
        throw new InvalidModelException("The model predicts values that are no numbers");
      }
      double apart = Math.abs((double) own[i] - given[i]);
      difference = Math.max(difference, Double.isNaN(apart) ? Double.POSITIVE_INFINITY : apart);
      largest = Math.max(largest, Math.abs(own[i]));
    }
    rows += examples;
  }

  /**
   * Returns how all compare.
   *
   * @throws InvalidModelException if they differ by more than is allowed
   */
  public Agreement agreement(String engine) {
    double bound = largest > 1 ? MOST_SHARE * largest : MOST;
    if (difference > bound) {
      throw new InvalidModelException(
          ("ONNX Runtime predicts something else than the engine %s: by up to %s, where %s is"
                  + " allowed")
              .formatted(engine, difference, bound));
    }
    return new Agreement(rows, difference, bound);
  }
}
