package dev.millrace.exchange.rows;

/**
 * Stochastic gradient descent (Robbins, Monro 1951), without slots:
 *
 * <pre>
 * w ← w − rate · (g + l2 · w)
 * </pre>
 */
public record Sgd(float learningRate, float l2) implements RowUpdater {

  public Sgd {
    UpdaterChecks.rates("sgd", learningRate, l2);
  }

  @Override
  public String name() {
    return "sgd";
  }

  @Override
  public int slots(int dimension) {
    return 0;
  }

  @Override
  public void reset(float[] row, int at, int dimension) {
    // There are no slots.
  }

  @Override
  public void update(float[] row, int at, int dimension, float[] gradients, int from, float scale) {
    for (int i = 0; i < dimension; i++) {
      float value = row[at + i];
      row[at + i] = value - learningRate * (scale * gradients[from + i] + l2 * value);
    }
  }
}
