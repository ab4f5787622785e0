package dev.millrace.model;

import java.util.Objects;
import java.util.Optional;

/**
 * How a network learns, as far as the user says it. What isn't said is as the model's archive has
 * it, or else the engine's default.
 *
 * @param loss {@code cross-entropy}, {@code binary-cross-entropy}, {@code mse}, {@code mae} or
 *     {@code huber}
 * @param updater {@code sgd}, {@code nesterovs}, {@code adam}, {@code adamw}, {@code rmsprop} or
 *     {@code adagrad}; an engine may have fewer
 * @param learningRate of the updater, before its schedule
 * @param momentum of the updater, where it has one
 * @param l2 factor of the penalty on the squares of weights, added to the gradient; biases have
 *     none
 * @param weightDecay share of the learning rate by which {@code adamw} shrinks weights in each step
 *     (Loshchilov and Hutter 2019)
 * @param schedule of the learning rate
 * @param clip of the gradient, before the updater sees it
 * @param precision in which the network computes
 */
public record Learning(
    Optional<String> loss,
    Optional<String> updater,
    Optional<Double> learningRate,
    Optional<Double> momentum,
    Optional<Double> l2,
    Optional<Double> weightDecay,
    Optional<Schedule> schedule,
    Optional<GradientClip> clip,
    Optional<Precision> precision) {

  /** Nothing said. */
  public static final Learning UNSAID =
      new Learning(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Numbers of what the network computes. Parameters and updater state are always float32. */
  public enum Precision {
    FLOAT32,
    /** Matrix products and convolutions in bfloat16, all else in float32. */
    BFLOAT16
  }

  /**
   * The learning rate over the model's steps, {@link Steps#iteration()}.
   *
   * @param kind how it falls
   * @param steps in which it falls by the factor, or, for {@code COSINE}, to zero
   * @param factor by which it falls; without effect for {@code COSINE}
   */
  public record Schedule(Kind kind, long steps, double factor) {

    /** How a learning rate falls. */
    public enum Kind {
      /** All at once, every so many steps. */
      STEP,
      /** The rate falls a little in each step. */
      EXPONENTIAL,
      /**
       * The rate falls as a half wave, and then is zero (Loshchilov and Hutter 2017, without
       * restarts).
       */
      COSINE
    }

    public Schedule {
      Objects.requireNonNull(kind, "kind");
      if (steps < 1 || !(factor > 0)) {
        throw new IllegalArgumentException(
            "A schedule needs at least one step and a factor above 0, not %s and %s"
                .formatted(steps, factor));
      }
    }
  }

  /**
   * Bounds of a gradient; {@link Double#POSITIVE_INFINITY} for none.
   *
   * @param norm greatest Euclidean norm of the whole gradient, which is scaled down to it
   * @param value greatest size of each of its values, which are cut off there
   */
  public record GradientClip(double norm, double value) {

    public GradientClip {
      if (!(norm > 0) || !(value > 0)) {
        throw new IllegalArgumentException(
            "Gradients are clipped at bounds above 0, not %s and %s".formatted(norm, value));
      }
    }
  }
}
