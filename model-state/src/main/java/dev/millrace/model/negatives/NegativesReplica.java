package dev.millrace.model.negatives;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceUse;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Optional;

/**
 * A replica of a network of two inputs that also learns which pairs don't belong together: each
 * positive example of a minibatch brings pairs of its first side, such as a user, and the second
 * side of other examples, such as an item, as negative ones ({@link AddedPairs}).
 *
 * <p>A step's loss is the mean over the minibatch's own examples of each one's loss and those of
 * its pairs, which have its weight. Predictions and gradients of features are of the minibatch's
 * own examples: what a pair's features have of gradients belongs to the examples that they are of.
 * All else is as the replica inside has it.
 */
public final class NegativesReplica implements ModelReplica {

  private final ModelReplica replica;
  private final ExampleShape shape;
  private final int each;
  private final IndexRange first;
  private final IndexRange second;
  private final AddedPairs pairs;
  private final float[] pairFeatures;
  private final float[] pairLabels;
  private final String[] pairWords;

  /** The minibatch's examples, and the pairs behind them. */
  private Minibatch all;

  private float[] predictions = new float[0];
  private float[] gradients = new float[0];

  /**
   * @param replica that makes the steps; it is closed with this one
   * @param each pairs that a positive example brings, at least 1; fewer where the minibatch has
   *     fewer second sides
   * @throws IllegalArgumentException if examples are not of that kind, see {@link #problem}
   */
  public NegativesReplica(ModelReplica replica, int each) {
    this.replica = replica;
    this.shape = replica.spec().shape();
    this.each = each;
    problem(shape)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    List<Input> inputs = shape.structure().inputs();
    this.first = inputs.get(0).features();
    this.second = inputs.get(1).features();
    this.pairs = new AddedPairs(shape, each);
    this.pairFeatures = new float[shape.features()];
    this.pairLabels = negative(shape);
    this.pairWords = new String[shape.words()];
  }

  /**
   * Returns why examples of that shape can't bring such pairs, as a sentence; empty if they can.
   */
  public static Optional<String> problem(ExampleShape shape) {
    if (shape.structure().inputs().size() != 2 || shape.structure().isSequence()) {
      return Optional.of(
          "Negatives are pairs of two inputs, and the fields are for %s; give each field one, such as"
                  .formatted(shape.structure().inputs().stream().map(Input::name).toList())
              + " 'input: user' and 'input: item'");
    }
    return shape.hasTwoClasses()
        ? Optional.empty()
        : Optional.of(
            "Negatives are examples of the first of two classes, and examples have %s outputs for %s; take two classes"
                .formatted(shape.outputs(), shape.target()));
  }

  private static float[] negative(ExampleShape shape) {
    float[] labels = new float[shape.labels()];
    if (shape.target() == Target.CLASSIFICATION) {
      labels[1 - shape.positiveOutput()] = 1;
    }
    return labels;
  }

  @Override
  public void fit(Minibatch minibatch, float[] target) {
    require(target.length, minibatch.size() * shape.labels(), "predictions");
    enlarge(minibatch);
    replica.fit(all, predictions);
    System.arraycopy(predictions, 0, target, 0, minibatch.size() * shape.labels());
  }

  @Override
  public void fit(Minibatch minibatch, float[] target, float[] inputGradients) {
    int own = minibatch.size() * shape.features();
    require(target.length, minibatch.size() * shape.labels(), "predictions");
    require(inputGradients.length, own, "gradients of features");
    enlarge(minibatch);
    if (gradients.length < all.size() * shape.features()) {
      gradients = new float[all.capacity() * shape.features()];
    }
    replica.fit(all, predictions, gradients);
    System.arraycopy(predictions, 0, target, 0, minibatch.size() * shape.labels());
    System.arraycopy(gradients, 0, inputGradients, 0, own);
    for (int pair = 0; pair < pairs.size(); pair++) {
      int from = own + pair * shape.features();
      add(from, first, pairs.firstRow(pair), inputGradients);
      add(from, second, pairs.secondRow(pair), inputGradients);
    }
  }

  /** Checks before anything is changed. */
  private static void require(int room, int values, String what) {
    if (room < values) {
      throw new IllegalArgumentException(
          "Room for %s %s, where there are %s".formatted(room, what, values));
    }
  }

  /** Adds the gradients of a pair's side to those of the example that has it. */
  private void add(int from, IndexRange side, int row, float[] inputGradients) {
    int to = row * shape.features();
    for (int feature = side.from(); feature < side.to(); feature++) {
      inputGradients[to + feature] += gradients[from + feature];
    }
  }

  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    enlarge(minibatch);
    replica.gradient(all, target);
  }

  /** Puts the minibatch's examples together, and the pairs behind them. */
  private void enlarge(Minibatch minibatch) {
    pairs.choose(minibatch);
    int own = minibatch.size();
    int rows = Math.addExact(own, pairs.size());
    if (all == null || all.capacity() < rows) {
      all = new Minibatch(shape, 1, room(rows, minibatch.capacity()) - 1);
      predictions = new float[Math.multiplyExact(all.capacity(), shape.labels())];
    }
    all.clear();
    // The replica inside divides by all rows, and the loss is a mean over the examples.
    float scale = (float) rows / own;
    float[] weights = minibatch.weights();
    for (int row = 0; row < own; row++) {
      all.addReplayed(
          minibatch.features(),
          minibatch.labels(),
          minibatch.words(),
          row,
          0,
          weights[row] * scale);
    }
    for (int pair = 0; pair < pairs.size(); pair++) {
      copy(minibatch, first, pairs.firstRow(pair));
      copy(minibatch, second, pairs.secondRow(pair));
      float weight = weights[pairs.firstRow(pair)] * pairs.weight(pair) * scale;
      all.addReplayed(pairFeatures, pairLabels, pairWords, 0, 0, weight);
    }
  }

  /**
   * Returns for how many rows room is made: half as many again, as other minibatches have other
   * pairs, but no more than a minibatch of that capacity can bring.
   */
  private int room(int rows, int capacity) {
    long most = (long) capacity * (1 + Math.min(each, capacity - 1));
    return (int) Math.min(most, Math.addExact(rows, rows / 2));
  }

  private void copy(Minibatch minibatch, IndexRange side, int row) {
    int from = row * shape.features() + side.from();
    System.arraycopy(minibatch.features(), from, pairFeatures, side.from(), side.length());
  }

  @Override
  public ModelSpec spec() {
    return replica.spec();
  }

  @Override
  public void predict(float[] features, int rows, float[] target) {
    replica.predict(features, rows, target);
  }

  @Override
  public void predict(float[] features, int[] stepsOrNull, int rows, float[] target) {
    replica.predict(features, stepsOrNull, rows, target);
  }

  @Override
  public List<LayerActivations> activations(Minibatch minibatch) {
    return replica.activations(minibatch);
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    replica.read(from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    replica.write(from, source, offset, length);
  }

  @Override
  public Steps steps() {
    return replica.steps();
  }

  @Override
  public void setSteps(Steps steps) {
    replica.setSteps(steps);
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    replica.scaleLearningRates(proportional, adaptive);
  }

  @Override
  public void setRandomStream(long stream) {
    replica.setRandomStream(stream);
  }

  @Override
  public double[] memberWeights() {
    return replica.memberWeights();
  }

  @Override
  public double[] memberLearningRates() {
    return replica.memberLearningRates();
  }

  @Override
  public void replaceLost(float most) {
    replica.replaceLost(most);
  }

  @Override
  public DeviceUse deviceUse() {
    return replica.deviceUse();
  }

  @Override
  public void close() {
    replica.close();
  }
}
