package dev.millrace.model.torch;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.Target;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How a network learns: {@link Learning} with nothing left unsaid.
 *
 * @param learningRate above 0, before its schedule
 * @param momentum of {@code nesterovs}, and decay of the first moment of {@code adam} and {@code
 *     adamw}; without effect for others
 * @param l2 factor of the penalty on the squares of weights, added to the gradient; biases have
 *     none
 * @param weightDecay of {@code adamw}; 0 for others
 * @param scheduleOrNull null for a constant rate
 * @param clipOrNull null for gradients as they are
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Training(
    Loss loss,
    UpdaterKind updater,
    double learningRate,
    double momentum,
    double l2,
    double weightDecay,
    Schedule scheduleOrNull,
    GradientClip clipOrNull,
    Precision precision) {

  private static final double LEARNING_RATE = 1e-3;
  private static final double MOMENTUM = 0.9;
  private static final double WEIGHT_DECAY = 0.01;

  Training {
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(updater, "updater");
    Objects.requireNonNull(precision, "precision");
    require(
        learningRate > 0 && Double.isFinite(learningRate),
        "The learning rate is %s; it must be a number above 0, such as 0.01",
        learningRate);
    require(
        momentum >= 0 && momentum < 1,
        "The momentum is %s; it must be at least 0 and below 1, such as 0.9",
        momentum);
    require(
        l2 >= 0 && Double.isFinite(l2), "The penalty l2 is %s; it must be 0 (none) or above", l2);
    require(
        weightDecay >= 0 && weightDecay < 1,
        "The weight decay is %s; it must be 0 (none) or above, and below 1",
        weightDecay);
    if (weightDecay > 0 && updater != UpdaterKind.ADAMW) {
      throw new InvalidModelException(
          "The updater %s has no weight decay, and is to decay by %s; take adamw, or l2 in its place"
              .formatted(updater, weightDecay));
    }
  }

  /**
   * Returns what a user says, with defaults for the rest: the loss of the target, adam, a rate of
   * 0.001, a momentum of 0.9, and for adamw a weight decay of 0.01.
   *
   * @throws InvalidModelException if there is no such loss or updater, or a value is out of range
   */
  static Training of(Learning learning, Target target) {
    UpdaterKind updater = updater(learning).orElse(UpdaterKind.ADAM);
    return new Training(
            Loss.of(target),
            updater,
            LEARNING_RATE,
            MOMENTUM,
            0,
            decay(updater),
            null,
            null,
            Precision.FLOAT32)
        .with(learning, target);
  }

  /**
   * This, with what a user says in its place. Another updater has the default momentum and weight
   * decay, unless the user says others.
   *
   * @throws InvalidModelException as {@link #of}
   */
  Training with(Learning learning, Target target) {
    UpdaterKind newUpdater = updater(learning).orElse(updater);
    return new Training(
        Loss.named(learning.loss().orElse(loss.toString()), target),
        newUpdater,
        learning.learningRate().orElse(learningRate),
        learning.momentum().orElse(newUpdater == updater ? momentum : MOMENTUM),
        learning.l2().orElse(l2),
        learning.weightDecay().orElse(newUpdater == updater ? weightDecay : decay(newUpdater)),
        learning.schedule().orElse(scheduleOrNull),
        learning.clip().orElse(clipOrNull),
        learning.precision().orElse(precision));
  }

  /** Whether its schedule has a rate above zero for the steps that follow so many. */
  boolean learnsAfter(long iteration) {
    return scheduleOrNull == null
        || scheduleOrNull.kind() != Schedule.Kind.COSINE
        || iteration < scheduleOrNull.steps();
  }

  private static Optional<UpdaterKind> updater(Learning learning) {
    return learning.updater().map(UpdaterKind::named);
  }

  private static double decay(UpdaterKind updater) {
    return updater == UpdaterKind.ADAMW ? WEIGHT_DECAY : 0;
  }

  private static void require(boolean condition, String message, double value) {
    if (!condition) {
      throw new InvalidModelException(String.format(Locale.ROOT, message, value));
    }
  }
}
