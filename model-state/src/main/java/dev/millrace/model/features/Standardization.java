package dev.millrace.model.features;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Maps each feature x to {@code (x − mean) / scale}, and what is beyond the clip to the nearest
 * value within. It computes in floats, as DL4J's {@code NormalizerStandardize} does: values within
 * the clip are the same there, bit by bit. DL4J doesn't clip.
 *
 * <p>Training, scoring, evaluation and hold-out set all come here by {@code FeatureCompletion}.
 *
 * @param mean per feature
 * @param scale per feature, above 0
 * @param clip the greatest absolute value of a standardized feature, above 0; infinite for any
 */
public record Standardization(float[] mean, float[] scale, float clip) implements Serializable {

  /** One that doesn't clip. */
  public Standardization(float[] mean, float[] scale) {
    this(mean, scale, Float.POSITIVE_INFINITY);
  }

  /**
   * Returns the same standardization for all features of a shape, of which these are the ones that
   * are standardized: the others stay as they are.
   */
  public Standardization ofAll(ExampleShape shape) {
    float[] means = new float[shape.width()];
    float[] scales = new float[shape.width()];
    Arrays.fill(scales, 1);
    for (int i = 0; i < mean.length; i++) {
      means[NumberColumns.feature(shape, i)] = mean[i];
      scales[NumberColumns.feature(shape, i)] = scale[i];
    }
    return new Standardization(means, scales, clip);
  }

  /** Standardizes one value, as {@link #apply(float[], int)} does. */
  public float apply(int feature, float value) {
    return Math.min(Math.max((value - mean[feature]) / scale[feature], -clip), clip);
  }

  /**
   * Standardizes the first {@code rows} rows of a row-major matrix in place. What is not a number
   * stays so.
   */
  public void apply(float[] features, int rows) {
    int width = mean.length;
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        float standardized = (features[at + i] - mean[i]) / scale[i];
        features[at + i] = Math.min(Math.max(standardized, -clip), clip);
      }
    }
  }
}
