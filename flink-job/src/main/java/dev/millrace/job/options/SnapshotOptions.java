package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** When and where global models are published. */
public final class SnapshotOptions {

  public static final ConfigOption<String> DIRECTORY =
      ConfigOptions.key("snapshot.directory")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives models as the engine's archives, each with a JSON description beside it."
                  + " Without it no model is published.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("snapshot.interval")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "Time between models; 0 for one model only, at the end of the input or when the job"
                  + " is stopped.");

  public static final ConfigOption<Integer> KEEP =
      ConfigOptions.key("snapshot.keep")
          .intType()
          .defaultValue(5)
          .withDescription("Newest models that are kept; older ones are deleted.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Snapshots",
          "Global models as files, written whole or not at all.",
          List.of(
              Setting.of(DIRECTORY, Range.text("a directory's path")),
              Setting.of(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(100), "100 ms")),
              Setting.of(KEEP, Range.atLeast(1))));

  private SnapshotOptions() {}
}
