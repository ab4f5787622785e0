package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What is published between two whole models: training writes it, and scoring reads it. */
public final class UpdateOptions {

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("updates.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Compacted topic of updates, which predictions follow. Needs snapshot.directory.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("updates.interval")
          .durationType()
          .defaultValue(Duration.ofMillis(100))
          .withDescription("Least time between two updates.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Updates",
          "Fresh predictions. See" + " [snapshots](../internals/snapshots.md#updates).",
          List.of(
              Setting.of(TOPIC, Range.text("a topic's name")),
              Setting.of(INTERVAL, Range.atLeast(Duration.ofMillis(1), "1 ms"))));

  private UpdateOptions() {}
}
