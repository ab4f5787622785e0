package dev.millrace.job.train.options;

import dev.millrace.exchange.round.RateCourse;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How learning rates go on where training has no end. */
public final class RateOptions {

  public static final ConfigOption<RateCourse.Kind> COURSE =
      ConfigOptions.key("learning-rate.course")
          .enumType(RateCourse.Kind.class)
          .defaultValue(RateCourse.Kind.CONSTANT)
          .withDescription(
              "What learning rates are multiplied by, beside the model's own schedule. cycle: from"
                  + " learning-rate.least up to 1 and down again in straight lines. plateau: by"
                  + " learning-rate.factor whenever the prequential loss stays, back to 1 at a drift.");

  public static final ConfigOption<Long> WARM_UP =
      ConfigOptions.key("learning-rate.warm-up")
          .longType()
          .defaultValue(0L)
          .withDescription(
              "Examples of the whole job in which learning rates rise from nearly 0, in proportion.");

  public static final ConfigOption<Long> PERIOD =
      ConfigOptions.key("learning-rate.period")
          .longType()
          .defaultValue(20_000L)
          .withDescription("Examples of the whole job from one low of a cycle to the next.");

  public static final ConfigOption<Double> LEAST =
      ConfigOptions.key("learning-rate.least")
          .doubleType()
          .defaultValue(0.1)
          .withDescription("The least that a cycle or plateaus multiply learning rates by.");

  public static final ConfigOption<Double> FACTOR =
      ConfigOptions.key("learning-rate.factor")
          .doubleType()
          .defaultValue(0.5)
          .withDescription("What a plateau multiplies learning rates by.");

  public static final ConfigOption<Long> PATIENCE =
      ConfigOptions.key("learning-rate.patience")
          .longType()
          .defaultValue(20_000L)
          .withDescription(
              "Examples of the whole job without a lower prequential loss, over evaluation.window,"
                  + " that make a plateau.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Learning rates without end",
          "How learning rates go on for as long as training does. They act for any model, and multiply"
              + " what model.learning-rate-schedule and exchange.learning-rate-scaling say.",
          List.of(
              Setting.of(COURSE, Range.oneOf(RateCourse.Kind.class)),
              Setting.of(WARM_UP, Range.atLeast(0L)),
              Setting.of(PERIOD, Range.atLeast(2L)),
              Setting.of(LEAST, Range.share()),
              Setting.of(FACTOR, Range.fraction()),
              Setting.of(PATIENCE, Range.atLeast(1L))));

  private RateOptions() {}
}
