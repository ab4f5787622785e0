package dev.millrace.job.train.options;

import dev.millrace.exchange.replay.Keep;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What replicas learn from again. */
public final class ReplayOptions {

  public static final ConfigOption<Integer> SIZE =
      ConfigOptions.key("replay.size")
          .intType()
          .defaultValue(0)
          .withDescription(
              "Examples that each replica keeps to learn from again. They take memory, and are part of"
                  + " each checkpoint. 0: none.");

  public static final ConfigOption<Keep> KEEP =
      ConfigOptions.key("replay.keep")
          .enumType(Keep.class)
          .defaultValue(Keep.RESERVOIR)
          .withDescription(
              "Which examples stay: a reservoir, where each that was ever learned has the same"
                  + " chance; class-balanced, as many of each class as can be; the most recent ones.");

  public static final ConfigOption<Double> SHARE =
      ConfigOptions.key("replay.share")
          .doubleType()
          .defaultValue(0.5)
          .withDescription(
              "Share of each step's examples that are replayed. With 0.75 three are added to each"
                  + " fresh one.");

  public static final ConfigOption<Long> HALF_LIFE =
      ConfigOptions.key("replay.half-life")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Examples of the whole job after which a replayed one counts half in the loss. Absent:"
                  + " its age has no effect.");

  public static final ConfigOption<Duration> HALF_LIFE_TIME =
      ConfigOptions.key("replay.half-life-time")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "Age at which a replayed example counts half in the loss, by the timestamps of records: the"
                  + " newest that the replica has learned, less the newest when it learned the example. Absent:"
                  + " time has no effect.");

  public static final ConfigOption<Double> DISTILLATION =
      ConfigOptions.key("replay.distillation")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "Weight of the model's own prediction in the label of a replayed example; the label that came"
                  + " has the rest. The prediction is that of just before it first learned the example. 0: the"
                  + " label alone.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Replay",
          "A replica can learn from examples again that it has learned before. They are mixed into its"
              + " steps; no record counts twice.",
          List.of(
              Setting.of(SIZE, Range.atLeast(0)),
              Setting.of(KEEP, Range.oneOf(Keep.class)),
              Setting.of(SHARE, Range.fraction()),
              Setting.of(HALF_LIFE, Range.atLeast(1L)),
              Setting.of(HALF_LIFE_TIME, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(DISTILLATION, Range.between(0.0, 0.5))));

  private ReplayOptions() {}
}
