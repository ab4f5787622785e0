package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How a model learns, where its configuration doesn't say it. */
public final class LearningOptions {

  /** How a learning rate falls over the steps. */
  public enum Decay {
    /** The rate doesn't change. */
    CONSTANT,
    STEP,
    EXPONENTIAL,
    COSINE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<String> LOSS =
      ConfigOptions.key("model.loss")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Loss to minimize. Absent: as in the archive, or what suits input.target.");

  public static final ConfigOption<String> UPDATER =
      ConfigOptions.key("model.updater")
          .stringType()
          .defaultValue("adam")
          .withDescription("Rule by which gradients change the model.");

  public static final ConfigOption<Double> LEARNING_RATE =
      ConfigOptions.key("model.learning-rate")
          .doubleType()
          .defaultValue(1e-3)
          .withDescription("Learning rate of the updater.");

  public static final ConfigOption<Double> MOMENTUM =
      ConfigOptions.key("model.momentum")
          .doubleType()
          .defaultValue(0.9)
          .withDescription(
              "Momentum of nesterovs, beta1 of adam and adamw. Streams that drift: 0.");

  public static final ConfigOption<Double> L2 =
      ConfigOptions.key("model.l2")
          .doubleType()
          .noDefaultValue()
          .withDescription("L2 penalty on weights. Absent: the archive's, or none.");

  public static final ConfigOption<Double> WEIGHT_DECAY =
      ConfigOptions.key("model.weight-decay")
          .doubleType()
          .defaultValue(0.01)
          .withDescription("Decay of weights under adamw.");

  public static final ConfigOption<Decay> DECAY =
      ConfigOptions.key("model.learning-rate-schedule")
          .enumType(Decay.class)
          .defaultValue(Decay.CONSTANT)
          .withDescription("How the learning rate falls.");

  public static final ConfigOption<Long> DECAY_STEPS =
      ConfigOptions.key("model.learning-rate-schedule.steps")
          .longType()
          .noDefaultValue()
          .withDescription("Steps in which it falls by the factor; cosine: to zero.");

  public static final ConfigOption<Double> DECAY_FACTOR =
      ConfigOptions.key("model.learning-rate-schedule.factor")
          .doubleType()
          .defaultValue(0.1)
          .withDescription("Factor by which it falls.");

  public static final ConfigOption<Double> CLIP =
      ConfigOptions.key("model.gradient-clip")
          .doubleType()
          .noDefaultValue()
          .withDescription(
              "Gradients of a larger norm are scaled down to it. 0: none. Absent: as in the"
                  + " archive.");

  public static final ConfigOption<String> PRECISION =
      ConfigOptions.key("model.precision")
          .stringType()
          .defaultValue("float32")
          .withDescription("Numbers of matrix products and convolutions.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Learning",
          "For `model.name`, and for `model.archive` with the engine torch. See"
              + " [models](../guides/models.md).",
          List.of(
              Setting.of(
                  LOSS,
                  Range.oneOf("cross-entropy", "binary-cross-entropy", "mse", "mae", "huber")),
              Setting.of(
                  UPDATER, Range.oneOf("sgd", "nesterovs", "adam", "adamw", "rmsprop", "adagrad")),
              Setting.common(LEARNING_RATE, Range.above(0)),
              Setting.of(MOMENTUM, Range.between(0, 1)),
              Setting.of(L2, Range.atLeast(0.0)),
              Setting.of(WEIGHT_DECAY, Range.atLeast(0.0)),
              Setting.of(DECAY, Range.oneOf(Decay.class)),
              Setting.of(DECAY_STEPS, Range.atLeast(1L)),
              Setting.of(DECAY_FACTOR, Range.above(0)),
              Setting.of(CLIP, Range.atLeast(0.0)),
              Setting.of(PRECISION, Range.oneOf("float32", "bfloat16"))));

  private LearningOptions() {}
}
