package dev.millrace.exchange.rows;

/**
 * FTRL-Proximal (McMahan et al. 2013, "Ad click prediction: a view from the trenches", algorithm
 * 1), two slots for each value:
 *
 * <pre>
 * σ ← (√(n + g²) − √n) / α
 * z ← z + g − σ · w
 * n ← n + g²
 * w ← 0 where |z| ≤ l1, otherwise −(z − sign(z) · l1) / ((β + √n) / α + l2)
 * </pre>
 *
 * <p>The paper begins with rows of zeros. Here z begins so that w is the initial value.
 *
 * @param learningRate α
 * @param beta β, which makes the first steps smaller; above 0
 */
public record Ftrl(float learningRate, float beta, float l1, float l2) implements RowUpdater {

  public Ftrl {
    UpdaterChecks.rates("ftrl", learningRate, l2);
    UpdaterChecks.notNegative("ftrl", "an l1", l1);
    if (!(beta > 0 && beta <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "ftrl has a beta of %s; it must be a finite number above 0".formatted(beta));
    }
  }

  @Override
  public String name() {
    return "ftrl";
  }

  @Override
  public int slots(int dimension) {
    return 2 * dimension;
  }

  @Override
  public void reset(float[] row, int at, int dimension) {
    int sums = at + dimension;
    int squares = sums + dimension;
    for (int i = 0; i < dimension; i++) {
      float value = row[at + i];
      row[sums + i] = value == 0 ? 0 : -value * curvature(0) - Math.signum(value) * l1;
      row[squares + i] = 0;
    }
  }

  @Override
  public void update(float[] row, int at, int dimension, float[] gradients, int from, float scale) {
    int sums = at + dimension;
    int squares = sums + dimension;
    for (int i = 0; i < dimension; i++) {
      float gradient = scale * gradients[from + i];
      float before = (float) Math.sqrt(row[squares + i]);
      float square = row[squares + i] + gradient * gradient;
      float after = (float) Math.sqrt(square);
      float sum = row[sums + i] + gradient - (after - before) / learningRate * row[at + i];
      row[squares + i] = square;
      row[sums + i] = sum;
      row[at + i] = Math.abs(sum) <= l1 ? 0 : -(sum - Math.signum(sum) * l1) / curvature(after);
    }
  }

  private float curvature(float root) {
    return (beta + root) / learningRate + l2;
  }
}
