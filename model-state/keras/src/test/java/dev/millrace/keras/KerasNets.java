package dev.millrace.keras;

import dev.millrace.keras.testing.KerasModelFile;
import java.util.Random;

/** Keras models for tests, with weights that are known. */
final class KerasNets {

  static final String ADAM =
      """
      {"learning_rate": 0.002, "decay": 0.0, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-07,
       "amsgrad": false, "weight_decay": null, "clipnorm": null, "use_ema": false}""";
  static final String SGD = "{\"learning_rate\": 0.1, \"decay\": 0.0, \"momentum\": 0.0}";
  static final String CROSSENTROPY = "\"categorical_crossentropy\"";

  static final float[][] HIDDEN = {{0.5f, -1, 0.25f}, {1, 0.75f, -0.5f}};
  static final float[] HIDDEN_BIAS = {0.1f, -0.2f, 0.3f};
  static final float[][] OUT = {{1, -0.5f}, {0.5f, 2}, {-1, 0.25f}};
  static final float[] OUT_BIAS = {0.05f, -0.05f};

  /** Height, width, channels: none as another, so that none can stand for another. */
  static final int[] IMAGE = {6, 8, 2};

  private KerasNets() {}

  /** Two features, three hidden units, two outputs; not compiled. */
  static KerasModelFile dense(boolean functional, String outputActivation) {
    return KerasModelFile.of(functional, 2)
        .dense("hidden", "relu", HIDDEN, HIDDEN_BIAS)
        .dense("out", outputActivation, OUT, OUT_BIAS);
  }

  /** What the output layer of {@link #dense} makes before its activation. */
  static double[] logits(float... features) {
    double[] hidden = layer(toDoubles(features), HIDDEN, HIDDEN_BIAS);
    for (int i = 0; i < hidden.length; i++) {
      hidden[i] = Math.max(0, hidden[i]);
    }
    return layer(hidden, OUT, OUT_BIAS);
  }

  static double[] softmax(double... logits) {
    double[] probabilities = new double[logits.length];
    double sum = 0;
    for (double logit : logits) {
      sum += Math.exp(logit);
    }
    for (int i = 0; i < logits.length; i++) {
      probabilities[i] = Math.exp(logits[i]) / sum;
    }
    return probabilities;
  }

  /** Images of {@link #IMAGE}, three classes. */
  static KerasModelFile convolutional(boolean functional, Random random) {
    return KerasModelFile.of(functional, IMAGE)
        .convolution("first", "relu", 3, 2, weights(3 * 3 * 2 * 4, random), weights(4, random))
        .maxPooling("pool", 2)
        .flatten("flat")
        .dense("out", "softmax", matrix(2 * 3 * 4, 3, random), weights(3, random))
        .compiled(CROSSENTROPY, "Adam", ADAM);
  }

  static float[] weights(int count, Random random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian() / 2;
    }
    return values;
  }

  private static float[][] matrix(int rows, int columns, Random random) {
    float[][] values = new float[rows][];
    for (int i = 0; i < rows; i++) {
      values[i] = weights(columns, random);
    }
    return values;
  }

  private static double[] layer(double[] input, float[][] kernel, float[] bias) {
    double[] output = new double[bias.length];
    for (int j = 0; j < bias.length; j++) {
      output[j] = bias[j];
      for (int i = 0; i < input.length; i++) {
        output[j] += input[i] * kernel[i][j];
      }
    }
    return output;
  }

  private static double[] toDoubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }
}
