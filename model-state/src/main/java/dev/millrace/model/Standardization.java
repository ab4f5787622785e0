package dev.millrace.model;

import java.io.Serializable;

/**
 * Maps each feature x to {@code (x − mean) / scale} in float arithmetic, as DL4J's {@code
 * NormalizerStandardize} does, so that an exported archive sees the same inputs as the job did.
 *
 * @param mean per feature
 * @param scale per feature, above 0
 */
public record Standardization(float[] mean, float[] scale) implements Serializable {

  /** Standardizes the first {@code rows} rows of a row-major matrix in place. */
  public void apply(float[] features, int rows) {
    int width = mean.length;
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        features[at + i] = (features[at + i] - mean[i]) / scale[i];
      }
    }
  }
}
