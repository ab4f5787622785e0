package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * Adagrad (Duchi, Hazan, Singer 2011), a slot for each value:
 *
 * <pre>
 * g ← g + l2 · w
 * s ← s + g²
 * w ← w − rate · g / (√s + 1e-8)
 * </pre>
 */
public record Adagrad(float learningRate, float l2) implements RowUpdater {

  static final float EPSILON = 1e-8f;

  public Adagrad {
    UpdaterChecks.rates("adagrad", learningRate, l2);
  }

  @Override
  public String name() {
    return "adagrad";
  }

  @Override
  public int slots(int dimension) {
    return dimension;
  }

  @Override
  public void reset(float[] row, int at, int dimension) {
    Arrays.fill(row, at + dimension, at + 2 * dimension, 0);
  }

  @Override
  public void update(float[] row, int at, int dimension, float[] gradients, int from, float scale) {
    int slots = at + dimension;
    for (int i = 0; i < dimension; i++) {
      float value = row[at + i];
      float gradient = scale * gradients[from + i] + l2 * value;
      float sum = row[slots + i] + gradient * gradient;
      row[slots + i] = sum;
      row[at + i] = value - learningRate * gradient / ((float) Math.sqrt(sum) + EPSILON);
    }
  }
}
