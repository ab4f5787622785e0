package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** When training is over before its input is. */
public final class StopOptions {

  public static final ConfigOption<Duration> AFTER =
      ConfigOptions.key("stop.after")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "Time after the job's first start at which training ends. Stops and failures"
                  + " count. Absent: no such end.");

  public static final ConfigOption<Long> EXAMPLES =
      ConfigOptions.key("stop.examples")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Number of learned examples at which training ends. Absent: no such end.");

  public static final ConfigOption<Long> EXAMPLES_WITHOUT_IMPROVEMENT =
      ConfigOptions.key("stop.examples-without-improvement")
          .longType()
          .noDefaultValue()
          .withDescription(
              "Patience: training ends when so many examples were learned while the"
                  + " prequential loss, over evaluation.window, did not improve. Absent: no such"
                  + " end.");

  public static final ConfigOption<Double> MIN_IMPROVEMENT =
      ConfigOptions.key("stop.min-improvement")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("By how much the loss must fall to count as improved.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Early stopping",
          "When training ends before its input does. The job finishes as at the end of its input: what"
              + " was read is learned, and the last model published. gate.metric keeps the best.",
          List.of(
              Setting.of(AFTER, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(EXAMPLES, Range.atLeast(1L)),
              Setting.of(EXAMPLES_WITHOUT_IMPROVEMENT, Range.atLeast(1L)),
              Setting.of(MIN_IMPROVEMENT, Range.atLeast(0.0))));

  private StopOptions() {}
}
