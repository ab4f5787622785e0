package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Gradients of inputs, held against differences of the loss. */
public final class InputGradients {

  private static final float STEP = 0.005f;

  /** How far a gradient may be from a difference, as a share of the greatest. */
  private static final float NEAR = 0.03f;

  private InputGradients() {}

  /** The loss of an example of weight 1, of what was predicted for it. */
  public interface Loss {

    /**
     * Returns the loss of a row.
     *
     * @param predictions rows of {@code shape.labels()}
     */
    double of(Minibatch minibatch, float[] predictions, int row);
  }

  /** Returns the cross entropy, of all labels that are 1: of sequences the sum over the steps. */
  public static double crossEntropy(Minibatch minibatch, float[] predictions, int row) {
    int labels = minibatch.shape().labels();
    double sum = 0;
    for (int i = row * labels; i < (row + 1) * labels; i++) {
      if (minibatch.labels()[i] > 0) {
        sum -= minibatch.labels()[i] * Math.log(predictions[i]);
      }
    }
    return sum;
  }

  /** One step that tells them. */
  public static float[] fit(ModelReplica replica, Minibatch minibatch, float[] predictions) {
    ExampleShape shape = minibatch.shape();
    float[] gradients = new float[minibatch.size() * shape.features()];
    replica.fit(minibatch, predictions, gradients);
    return gradients;
  }

  /**
   * Holds the gradients of a step against central differences of the loss, for some features of the
   * minibatch. Where differences to both sides differ, the loss has a bend: such a feature is
   * passed over, and most mustn't be. One in twenty may be off, where bends are on both sides. The
   * replica is left as it was.
   *
   * @param most of the features to look at
   */
  public static void verify(
      ModelReplica replica, Minibatch minibatch, Loss loss, int most, Random random) {
    ExampleShape shape = minibatch.shape();
    float[] vector = Replicas.vector(replica);
    Steps steps = replica.steps();
    float[] predictions = new float[minibatch.size() * shape.labels()];
    float[] gradients = fit(replica, minibatch, predictions);
    restore(replica, vector, steps);
    float greatest = 0;
    for (float gradient : gradients) {
      greatest = Math.max(greatest, Math.abs(gradient));
    }
    assertThat(greatest).isPositive().isLessThan(1000);
    double here = mean(replica, minibatch, loss, vector, steps);
    List<String> far = new ArrayList<>();
    int compared = 0;
    int tried = Math.min(most, gradients.length);
    for (int i = 0; i < tried; i++) {
      int at = tried == gradients.length ? i : random.nextInt(gradients.length);
      float[] features = minibatch.features();
      float value = features[at];
      float above = value + STEP;
      float below = value - STEP;
      features[at] = above;
      double more = mean(replica, minibatch, loss, vector, steps);
      features[at] = below;
      double less = mean(replica, minibatch, loss, vector, steps);
      features[at] = value;
      double up = (more - here) / ((double) above - value);
      double down = (here - less) / ((double) value - below);
      if (Math.abs(up - down) < NEAR * greatest) {
        compared++;
        double slope = (up + down) / 2;
        if (Math.abs(gradients[at] - slope) >= NEAR * greatest) {
          far.add(
              "feature %s of row %s: %s, and the loss has %s"
                  .formatted(at % shape.features(), at / shape.features(), gradients[at], slope));
        }
      }
    }
    assertThat(far).hasSizeLessThanOrEqualTo(compared / 20);
    assertThat(compared).as("features without a bend, of %s", tried).isGreaterThan(tried * 3 / 4);
  }

  /** As the step has it, not as production does: with statistics of the minibatch, say. */
  private static double mean(
      ModelReplica replica, Minibatch minibatch, Loss loss, float[] vector, Steps steps) {
    float[] predictions = new float[minibatch.size() * minibatch.shape().labels()];
    replica.fit(minibatch, predictions);
    restore(replica, vector, steps);
    double sum = 0;
    for (int row = 0; row < minibatch.size(); row++) {
      sum += minibatch.weights()[row] * loss.of(minibatch, predictions, row);
    }
    return sum / minibatch.size();
  }

  private static void restore(ModelReplica replica, float[] vector, Steps steps) {
    replica.write(0, vector, 0, vector.length);
    replica.setSteps(steps);
  }
}
