package dev.millrace.exchange.rows;

/**
 * Adagrad with one slot for a row (Mudigere et al. 2022, "Software-hardware co-design for fast and
 * scalable training of deep learning recommendation models", section 4.1.4), which takes half of
 * the memory of {@link Adagrad}:
 *
 * <pre>
 * g ← g + l2 · w
 * s ← s + mean(g²)
 * w ← w − rate · g / (√s + 1e-8)
 * </pre>
 */
public record RowwiseAdagrad(float learningRate, float l2) implements RowUpdater {

  public RowwiseAdagrad {
    UpdaterChecks.rates("adagrad-rowwise", learningRate, l2);
  }

  @Override
  public String name() {
    return "adagrad-rowwise";
  }

  @Override
  public int slots(int dimension) {
    return 1;
  }

  @Override
  public void reset(float[] row, int at, int dimension) {
    row[at + dimension] = 0;
  }

  @Override
  public void update(float[] row, int at, int dimension, float[] gradients, int from, float scale) {
    double squares = 0;
    for (int i = 0; i < dimension; i++) {
      double gradient = scale * gradients[from + i] + l2 * row[at + i];
      squares += gradient * gradient;
    }
    float sum = (float) (row[at + dimension] + squares / dimension);
    row[at + dimension] = sum;
    float step = learningRate / ((float) Math.sqrt(sum) + Adagrad.EPSILON);
    for (int i = 0; i < dimension; i++) {
      float value = row[at + i];
      row[at + i] = value - step * (scale * gradients[from + i] + l2 * value);
    }
  }
}
