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
              "Receives models as the engine's archives, each with a JSON description beside it: a"
                  + " path, or a URI of any of Flink's file systems (s3://bucket/models), the"
                  + " same place from all machines. Each job needs its own. Without it no model is"
                  + " published.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("snapshot.interval")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "Least time between models, each published at once when a round has made it; 0 for"
                  + " none by time. At the end of the input, or when a job with checkpoints is"
                  + " stopped, there is always one.");

  public static final ConfigOption<Integer> ROUNDS =
      ConfigOptions.key("snapshot.rounds")
          .intType()
          .defaultValue(0)
          .withDescription(
              "Rounds between models, beside those by snapshot.interval; 0 for none by rounds.");

  public static final ConfigOption<Integer> KEEP =
      ConfigOptions.key("snapshot.keep")
          .intType()
          .defaultValue(5)
          .withDescription(
              "Newest models that are kept; older ones are deleted, but for the one being served.");

  public static final ConfigOption<Integer> KEEP_EVERY =
      ConfigOptions.key("snapshot.keep-every")
          .intType()
          .defaultValue(0)
          .withDescription("Keeps every so many models for good; 0 for none.");

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("snapshot.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives each model that may be served as well, in blocks: a compacted topic of one"
                  + " partition, made if it isn't there, that always holds a whole model; see"
                  + " formats.md. Needs snapshot.directory.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Snapshots",
          "Global models as files, written whole or not at all; see snapshots.md.",
          List.of(
              Setting.of(DIRECTORY, Range.text("a directory's path or URI")),
              Setting.of(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(ROUNDS, Range.atLeast(0)),
              Setting.of(KEEP, Range.atLeast(1)),
              Setting.of(KEEP_EVERY, Range.atLeast(0)),
              Setting.of(TOPIC, Range.text("a topic's name"))));

  private SnapshotOptions() {}
}
