package dev.millrace.model;

import dev.millrace.model.device.DeviceUse;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One copy of a model in training, seen as a flat vector [parameters | updater state] that can be
 * read and written in bulk.
 *
 * <p>A replica belongs to the thread that built it: engines keep device, workspaces and random
 * numbers per thread. The same sequence of calls on replicas of the same spec and vector gives
 * bit-identical results, unless the network itself is random (dropout).
 */
public interface ModelReplica extends AutoCloseable {

  ModelSpec spec();

  /**
   * One optimizer step on all examples of the minibatch.
   *
   * @param predictions receives what the model predicted for the examples before the step, rows of
   *     {@code shape.labels()} floats, zeros for steps after a sequence's end. They are taken from
   *     the step's own forward pass, so dropout, where the network has any, is active in them.
   * @throws UnusableExamplesException if the network can't compute with them; vector and steps are
   *     what they were then
   */
  void fit(Minibatch minibatch, float[] predictions);

  /**
   * One optimizer step as {@link #fit(Minibatch, float[])} makes it, to the bit, that also tells
   * the gradient of the inputs, for values that are learned outside of the network.
   *
   * @param inputGradients receives, row-major, {@code rows × features}, the gradient of each
   *     example's features: of the same loss that the step descends (the mean over the examples of
   *     each one's loss times its weight), without penalties, and before any clip of parameters'
   *     gradients; zeros behind a sequence's end
   * @throws UnusableExamplesException if the network can't compute with them; vector and steps are
   *     what they were then
   * @throws UnsupportedOperationException if the engine can't give them for this network, which
   *     {@link ModelEngine#givesInputGradients} tells before; no step is made then
   */
  default void fit(Minibatch minibatch, float[] predictions, float[] inputGradients) {
    throw new UnsupportedOperationException(
        ("The engine %s can't give gradients of this network's inputs; take a network of the engine"
                + " dl4j or torch whose inputs are numbers, or learn nothing outside of the network")
            .formatted(spec().engine()));
  }

  /**
   * The gradient by which {@link #fit} would make its step: of the mean over the examples of each
   * one's loss times its weight, without penalties, and before any clip. Changes nothing. Dropout,
   * where the network has any, is active.
   *
   * @param target receives a value for each parameter; 0 where none is trained
   * @throws UnusableExamplesException if the network can't compute with them
   * @throws UnsupportedOperationException if the engine doesn't tell gradients of this network
   */
  default void gradient(Minibatch minibatch, float[] target) {
    throw new UnsupportedOperationException(
        "The engine %s can't give the gradients of this network".formatted(spec().engine()));
  }

  /**
   * Predicts as in production (no dropout). Sequences have all their steps.
   *
   * @param features row-major, {@code rows × features}
   * @param predictions receives rows of {@code shape.labels()} floats
   * @throws UnusableExamplesException if the network can't compute with them
   */
  void predict(float[] features, int rows, float[] predictions);

  /**
   * Predicts as in production, for sequences of any length.
   *
   * @param features row-major, {@code rows × features}; what is behind a sequence's end has no
   *     effect
   * @param stepsOrNull steps of each row's sequence, at least 1; null where examples are none
   * @param predictions receives rows of {@code shape.labels()} floats, zeros for steps after a
   *     sequence's end
   * @throws UnusableExamplesException if the network can't compute with them
   */
  default void predict(float[] features, int[] stepsOrNull, int rows, float[] predictions) {
    predict(features, rows, predictions);
  }

  /**
   * Returns what the units of the network's inner layers give for the examples of a minibatch, as
   * in production. Changes nothing. By default nothing is told.
   *
   * @return of the layers that the engine tells of, in any order
   * @throws UnusableExamplesException if the network can't compute with them
   */
  default List<LayerActivations> activations(Minibatch minibatch) {
    return List.of();
  }

  /**
   * Copies {@code length} floats of the flat vector, from index {@code from}, into {@code target}.
   */
  void read(int from, float[] target, int offset, int length);

  /** Copies {@code length} floats of {@code source} into the flat vector, at index {@code from}. */
  void write(int from, float[] source, int offset, int length);

  /** Optimizer steps so far. */
  Steps steps();

  /** Continues as after so many steps. */
  void setSteps(Steps steps);

  /**
   * Multiplies the learning rates of all further steps, scheduled ones too, by these factors in
   * place of any before. They are part neither of the vector nor of the model's configuration.
   *
   * @param proportional where steps grow with the gradient, as of sgd and nesterovs
   * @param adaptive where an updater divides by the gradient's size, as Adam does
   */
  void scaleLearningRates(double proportional, double adaptive);

  /**
   * Chooses the random numbers that the network draws in its steps, where it draws any (dropout).
   * Replicas of different streams draw differently. Where the engine can do it, the same stream
   * draws the same at the same {@link Steps}, in any process.
   */
  default void setRandomStream(long stream) {}

  /**
   * Returns how much each of its models counts in what it predicts, where it is made of several;
   * else none. Their sum is 1.
   */
  default double[] memberWeights() {
    return new double[0];
  }

  /**
   * The learning rate of each of its models, where it is made of several; else none. {@link
   * #scaleLearningRates} is left aside.
   */
  default double[] memberLearningRates() {
    return new double[0];
  }

  /**
   * Mends a model that is made of several: gives those that have a value which is no number, or of
   * a greater magnitude than {@code most}, the values of the best of the others, if there is any.
   */
  default void replaceLost(float most) {}

  /**
   * Returns a replica in which another one is in the place of each of its models: of one, in its
   * own place. Only where it has learned nothing yet; it is to be used no more then.
   *
   * @param other returns what is in the place of a model, and closes that when it is closed
   */
  default ModelReplica replaceEach(UnaryOperator<ModelReplica> other) {
    return other.apply(this);
  }

  /** Returns what it has used of its device so far. */
  default DeviceUse deviceUse() {
    return DeviceUse.UNKNOWN;
  }

  @Override
  void close();
}
