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
          .withDescription("Time after the first start at which training ends.");

  public static final ConfigOption<Long> EXAMPLES =
      ConfigOptions.key("stop.examples")
          .longType()
          .noDefaultValue()
          .withDescription("Learned examples at which training ends.");

  public static final ConfigOption<Long> EXAMPLES_WITHOUT_IMPROVEMENT =
      ConfigOptions.key("stop.examples-without-improvement")
          .longType()
          .noDefaultValue()
          .withDescription("Patience: examples without a lower loss after which training ends.");

  public static final ConfigOption<Double> MIN_IMPROVEMENT =
      ConfigOptions.key("stop.min-improvement")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("Fall of the loss that counts as improvement.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Early stopping",
          "Training ends before its input does, and publishes its last model.",
          List.of(
              Setting.of(AFTER, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(EXAMPLES, Range.atLeast(1L)),
              Setting.of(EXAMPLES_WITHOUT_IMPROVEMENT, Range.atLeast(1L)),
              Setting.of(MIN_IMPROVEMENT, Range.atLeast(0.0))));

  private StopOptions() {}
}
