package dev.millrace.model.population;

import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;

/**
 * How well the members of a population have predicted lately, and what follows for how much each
 * one counts.
 *
 * <p>A member's loss is a mean, {@code m ← β m + (1 − β) loss}, of the losses of the examples that
 * it predicted before it learned them. So {@code m / (1 − β)} is their discounted sum L, and
 * weights are {@code exp(−η L)}, normalized. Of numbers a loss is the squared error divided by the
 * members' mean squared error, so that weights don't depend on the unit.
 *
 * <p>Allocates nothing after its construction. Not thread-safe.
 */
final class MemberLosses {

  /** Loss of a prediction that is no number; about that of a probability of zero. */
  private static final double MOST = 20;

  /** No member is ever out of the race, whatever the others are. */
  private static final double LEAST_WEIGHT = 1e-12;

  private final double discount;
  private final double steepness;
  private final float[] means;
  private final double[] weights;
  private final double[] losses;

  MemberLosses(Population population) {
    int count = population.members().size();
    this.discount = population.discount();
    this.steepness = population.sharpness() / (1 - population.discount());
    this.means = new float[count];
    this.weights = new double[count];
    this.losses = new double[count];
  }

  /** The discounted mean losses, live: they are part of the vector. */
  float[] means() {
    return means;
  }

  /** The member that counts most: the first one of several. */
  int best() {
    int best = 0;
    for (int i = 1; i < means.length; i++) {
      best = means[i] < means[best] ? i : best;
    }
    return best;
  }

  /** Returns what each member counts now; the same array each time. */
  double[] weights() {
    float least = means[best()];
    double sum = 0;
    for (int i = 0; i < means.length; i++) {
      weights[i] = Math.max(LEAST_WEIGHT, StrictMath.exp(-steepness * (means[i] - least)));
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  /**
   * Takes one example into account.
   *
   * @param predictions of each member
   * @param row of the example
   * @param steps of a sequence with labels for each; else 1
   */
  void add(ExampleShape shape, float[][] predictions, float[] labels, int row, int steps) {
    ExampleShape measured = shape.measured();
    for (int i = 0; i < losses.length; i++) {
      double sum = 0;
      for (int step = 0; step < steps; step++) {
        int at = row * shape.labels() + step * shape.outputs();
        sum += Measures.loss(measured, predictions[i], labels, at);
      }
      losses[i] = sum / steps;
    }
    if (measured.target() == Target.REGRESSION) {
      compare();
    }
    for (int i = 0; i < losses.length; i++) {
      double loss = losses[i] < MOST ? losses[i] : MOST;
      means[i] = (float) (discount * means[i] + (1 - discount) * loss);
    }
  }

  /** Divides losses by the mean of those that are numbers. */
  private void compare() {
    double sum = 0;
    int count = 0;
    for (double loss : losses) {
      if (Double.isFinite(loss)) {
        sum += loss;
        count++;
      }
    }
    for (int i = 0; i < losses.length; i++) {
      losses[i] = losses[i] == 0 ? 0 : losses[i] * count / sum;
    }
  }
}
