package dev.millrace.model.torch;

import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.Steps;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;

/**
 * Changes a module's parameters by the gradients of a step: clips them, adds the penalty on
 * weights, and applies the rule at the rate that the schedule has for the step.
 */
final class Updater implements AutoCloseable {

  /**
   * The number that {@code torch.nn.utils.clip_grad_norm_} adds to a norm, for gradients of zero.
   */
  private static final double LEAST_NORM = 1e-6;

  private final Natives natives = new Natives();
  private final Training training;
  private final FlatTensors tensors;
  private final UpdateRule rule;
  private final Scalar penalty;
  private double factor = 1;

  Updater(Training training, FlatTensors tensors) {
    this.training = training;
    this.tensors = tensors;
    this.penalty = natives.keep(new Scalar(training.l2()));
    try (PointerScope scope = new PointerScope()) {
      this.rule = rule(training, tensors);
    }
  }

  private static UpdateRule rule(Training training, FlatTensors tensors) {
    return switch (training.updater()) {
      case SGD -> GradientRules.sgd(tensors);
      case NESTEROVS -> GradientRules.nesterovs(tensors, training.momentum());
      case ADAM, ADAMW -> new AdamRule(tensors, training.momentum(), training.weightDecay());
      case RMSPROP -> SquareRules.rmsProp(tensors);
      case ADAGRAD -> SquareRules.adaGrad(tensors);
    };
  }

  /** See {@link TorchReplica#scaleLearningRates}. */
  void scale(double proportional, double adaptive) {
    factor =
        switch (training.updater()) {
          case SGD, NESTEROVS -> proportional;
          case ADAM, ADAMW, RMSPROP, ADAGRAD -> adaptive;
        };
  }

  /**
   * One step. Gradients are changed, too. To be called without autograd.
   *
   * @param made before it
   */
  void step(Steps made) {
    if (training.clipOrNull() != null) {
      clip(training.clipOrNull());
    }
    if (training.l2() > 0) {
      tensors.weights().forEach(weights -> weights.gradients().add_(weights.values(), penalty));
    }
    rule.apply(rate(made.iteration()) * factor, made.ofUpdater() + 1);
  }

  /** Values first, so that both bounds hold afterwards. */
  private void clip(GradientClip clip) {
    Tensor gradients = tensors.gradients();
    if (Double.isFinite(clip.value())) {
      gradients.clamp_(
          new ScalarOptional(new Scalar(-clip.value())),
          new ScalarOptional(new Scalar(clip.value())));
    }
    if (Double.isFinite(clip.norm())) {
      // On the device: nobody waits for the norm.
      Tensor share =
          gradients
              .norm()
              .add_(new Scalar(LEAST_NORM))
              .reciprocal_()
              .mul_(new Scalar(clip.norm()))
              .clamp_max_(new Scalar(1.0));
      gradients.mul_(share);
    }
  }

  /** The scheduled rate of the step that follows so many. */
  private double rate(long iteration) {
    Schedule schedule = training.scheduleOrNull();
    double rate = training.learningRate();
    if (schedule == null) {
      return rate;
    }
    double periods = (double) iteration / schedule.steps();
    return switch (schedule.kind()) {
      case STEP ->
          rate * Math.pow(schedule.factor(), (double) Math.floorDiv(iteration, schedule.steps()));
      case EXPONENTIAL -> rate * Math.pow(schedule.factor(), periods);
      case COSINE -> periods < 1 ? rate * 0.5 * (1 + Math.cos(Math.PI * periods)) : 0;
    };
  }

  @Override
  public void close() {
    rule.close();
    natives.close();
  }
}
