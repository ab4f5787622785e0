package dev.millrace.job.train.part.replay;

import dev.millrace.exchange.replay.HalfLife;
import dev.millrace.exchange.replay.Keep;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.TimeUtils;

/** What replicas learn from again. */
public final class ReplayOptions {

  public static final ConfigOption<Integer> SIZE =
      ConfigOptions.key("replay.size")
          .intType()
          .defaultValue(0)
          .withDescription("Examples that each replica keeps to learn again. 0: none.");

  public static final ConfigOption<Keep> KEEP =
      ConfigOptions.key("replay.keep")
          .enumType(Keep.class)
          .defaultValue(Keep.RESERVOIR)
          .withDescription(
              "Which examples stay: random ones, as many of each class, or the newest.");

  public static final ConfigOption<Double> SHARE =
      ConfigOptions.key("replay.share")
          .doubleType()
          .defaultValue(0.5)
          .withDescription("Share of each step's examples that are replayed.");

  public static final ConfigOption<String> HALF_LIFE =
      ConfigOptions.key("replay.half-life")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Age at which a replayed example counts half. Absent: age has no effect.");

  public static final ConfigOption<Double> DISTILLATION =
      ConfigOptions.key("replay.distillation")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("Weight of the model's earlier prediction in a replayed label.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Replay",
          "Replicas learn older examples again.",
          List.of(
              Setting.of(SIZE, Range.atLeast(0)),
              Setting.of(KEEP, Range.oneOf(Keep.class)),
              Setting.of(SHARE, Range.fraction()),
              Setting.experimental(
                  HALF_LIFE,
                  Range.text(
                      "a number of examples of at least 1, or a duration of at least 1 ms, such as"
                          + " 30 min",
                      ReplayOptions::isHalfLife)),
              Setting.experimental(DISTILLATION, Range.between(0.0, 0.5))));

  private ReplayOptions() {}

  /** Returns the half-life, by examples or by time. */
  public static HalfLife halfLife(Configuration options) {
    return options.getOptional(HALF_LIFE).map(ReplayOptions::parse).orElse(HalfLife.NONE);
  }

  private static HalfLife parse(String value) {
    return value.matches("\\d+")
        ? HalfLife.ofExamples(Long.parseLong(value))
        : HalfLife.of(TimeUtils.parseDuration(value));
  }

  private static boolean isHalfLife(String value) {
    try {
      parse(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
