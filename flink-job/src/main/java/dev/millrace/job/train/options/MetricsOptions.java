package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where measures go, beside Flink's own metrics. */
public final class MetricsOptions {

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("metrics.topic")
          .stringType()
          .noDefaultValue()
          .withDescription("Topic that receives measures as JSON.");

  public static final ConfigOption<String> FILE =
      ConfigOptions.key("metrics.file")
          .stringType()
          .noDefaultValue()
          .withDescription("File that measures are appended to as JSON lines.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("metrics.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription("Time between two records of measures.");

  public static final ConfigOption<Boolean> TIMELINE =
      ConfigOptions.key("metrics.timeline")
          .booleanType()
          .defaultValue(false)
          .withDescription("true: writes where each round's time went, for millrace timeline.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Metrics",
          "Measures are Flink metrics; they can be JSON, too.",
          List.of(
              Setting.of(TOPIC, Range.text("a topic's name")),
              Setting.of(FILE, Range.text("a file's path")),
              Setting.of(INTERVAL, Range.atLeast(Duration.ofMillis(10), "10 ms")),
              Setting.of(TIMELINE, Range.trueOrFalse())));

  private MetricsOptions() {}
}
