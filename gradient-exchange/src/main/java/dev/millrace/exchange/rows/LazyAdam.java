package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * Adam (Kingma, Ba 2015) of the rows that are used alone: a row's moments stay as they are while it
 * isn't, and its steps t are its own. Two slots for each value, and one for t:
 *
 * <pre>
 * g ← g + l2 · w
 * t ← t + 1
 * m ← β1 · m + (1 − β1) · g
 * v ← β2 · v + (1 − β2) · g²
 * w ← w − rate · (m / (1 − β1^t)) / (√(v / (1 − β2^t)) + 1e-8)
 * </pre>
 */
public record LazyAdam(float learningRate, float l2, float beta1, float beta2)
    implements RowUpdater {

  private static final float EPSILON = 1e-8f;

  /** A float counts no further. Long before it the powers of β are nothing. */
  private static final float MOST_STEPS = 1 << 24;

  public LazyAdam {
    UpdaterChecks.rates("adam", learningRate, l2);
    UpdaterChecks.decay("adam", "a beta1", beta1);
    UpdaterChecks.decay("adam", "a beta2", beta2);
  }

  @Override
  public String name() {
    return "adam";
  }

  @Override
  public int slots(int dimension) {
    return 2 * dimension + 1;
  }

  @Override
  public void reset(float[] row, int at, int dimension) {
    Arrays.fill(row, at + dimension, at + dimension + slots(dimension), 0);
  }

  @Override
  public void update(float[] row, int at, int dimension, float[] gradients, int from, float scale) {
    int first = at + dimension;
    int second = first + dimension;
    int count = second + dimension;
    float steps = Math.min(row[count] + 1, MOST_STEPS);
    row[count] = steps;
    float ofFirst = (float) (1 / (1 - power(beta1, (int) steps)));
    float ofSecond = (float) (1 / (1 - power(beta2, (int) steps)));
    for (int i = 0; i < dimension; i++) {
      float value = row[at + i];
      float gradient = scale * gradients[from + i] + l2 * value;
      float mean = beta1 * row[first + i] + (1 - beta1) * gradient;
      float square = beta2 * row[second + i] + (1 - beta2) * gradient * gradient;
      row[first + i] = mean;
      row[second + i] = square;
      float deviation = (float) Math.sqrt(square * ofSecond) + EPSILON;
      row[at + i] = value - learningRate * (mean * ofFirst) / deviation;
    }
  }

  /**
   * Multiplies squares: the result has the same bits on each platform, which {@code Math.pow}
   * doesn't promise.
   */
  static double power(double base, int exponent) {
    double power = 1;
    double square = base;
    for (int left = exponent; left > 0; left >>= 1) {
      power *= (left & 1) == 1 ? square : 1;
      square *= square;
    }
    return power;
  }
}
