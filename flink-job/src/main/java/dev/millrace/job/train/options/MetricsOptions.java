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
          .withDescription("A topic that receives measures as JSON records. Absent: none does.");

  public static final ConfigOption<String> FILE =
      ConfigOptions.key("metrics.file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A file to which measures are appended, one JSON object a line. Absent: none;"
                  + " millrace train and demo use metrics.jsonl in the work directory.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("metrics.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription("Time between two records of measures.");

  public static final ConfigOption<Boolean> TIMELINE =
      ConfigOptions.key("metrics.timeline")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "true also writes each round's timeline: where every replica's time went."
                  + " millrace timeline sums it up and writes a trace.");

  public static final ConfigOption<Duration> DETAILS_INTERVAL =
      ConfigOptions.key("metrics.details-interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "Time between two looks into the first replica's network: weights, updates and"
                  + " activations by layer, and its confusion of classes. Layers are measured less"
                  + " often where that would take over 0.8 % of the time. 0: never.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Metrics",
          "Measures are always Flink metrics; they can be written as JSON too.",
          List.of(
              Setting.of(TOPIC, Range.text("a topic's name")),
              Setting.of(FILE, Range.text("a file's path")),
              Setting.of(INTERVAL, Range.atLeast(Duration.ofMillis(10), "10 ms")),
              Setting.of(TIMELINE, Range.trueOrFalse()),
              Setting.of(DETAILS_INTERVAL, Range.atLeast(Duration.ZERO, "0"))));

  private MetricsOptions() {}
}
