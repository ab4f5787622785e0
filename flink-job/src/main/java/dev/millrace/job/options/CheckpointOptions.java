package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How often and where the state of the job is made safe: options of Flink, under Flink's own keys.
 * As Flink's do, they override the cluster's configuration where they are given.
 */
public final class CheckpointOptions {

  /** Where neither the job nor the cluster says it. */
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key(CheckpointingOptions.CHECKPOINTING_INTERVAL.key())
          .durationType()
          .noDefaultValue()
          .withDescription(
              "Time between checkpoints. 0: none, so a job that fails starts anew. Absent: Flink's"
                  + " own, or 10 s.");

  public static final ConfigOption<String> DIRECTORY =
      ConfigOptions.key(CheckpointingOptions.CHECKPOINTS_DIRECTORY.key())
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where checkpoints are kept: all machines must reach it. Models above 655,360 values"
                  + " need it.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Checkpoints",
          "Flink's own options, which override the cluster's.",
          List.of(
              Setting.common(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(10), "10 ms")),
              Setting.common(DIRECTORY, Range.text("a path or URI"))));

  private CheckpointOptions() {}

  /**
   * Time between checkpoints; zero for none.
   *
   * @param cluster Flink's configuration, which holds where the options don't say it
   */
  public static Duration interval(Configuration options, ReadableConfig cluster) {
    return options
        .getOptional(INTERVAL)
        .or(() -> cluster.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL))
        .orElse(DEFAULT_INTERVAL);
  }
}
