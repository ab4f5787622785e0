package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** When training is over before its input is. */
public final class StopOptions {

  public static final ConfigOption<Duration> AFTER =
      ConfigOptions.key("stop.after")
          .durationType()
          .defaultValue(Duration.ZERO)
          .withDescription(
              "Time from the job's first start after which training ends, stops and failures between"
                  + " included; 0 for no end.");

  public static final ConfigOption<Long> EXAMPLES =
      ConfigOptions.key("stop.examples")
          .longType()
          .defaultValue(0L)
          .withDescription("Learned examples after which training ends; 0 for no end.");

  public static final ConfigOption<Long> PATIENCE =
      ConfigOptions.key("stop.patience")
          .longType()
          .defaultValue(0L)
          .withDescription(
              "Examples learned without a lower prequential loss, over evaluation.window, after which"
                  + " training ends; 0 for no end.");

  public static final ConfigOption<Double> LEAST_IMPROVEMENT =
      ConfigOptions.key("stop.least-improvement")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("By how much the loss has to be lower to be counted as lower.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Early stopping",
          "When training ends before its input does. The job finishes as at the end of its input: what"
              + " was read is learned, and the last model published. gate.metric keeps the best.",
          List.of(
              Setting.of(AFTER, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(EXAMPLES, Range.atLeast(0L)),
              Setting.of(PATIENCE, Range.atLeast(0L)),
              Setting.of(LEAST_IMPROVEMENT, Range.atLeast(0.0))));

  private StopOptions() {}
}
