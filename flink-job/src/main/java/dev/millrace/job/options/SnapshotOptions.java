package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** When and where global models are published. */
public final class SnapshotOptions {

  /** Which parameters a published model has. */
  public enum Parameters {
    /** The moving average, where one is kept. */
    AVERAGE,
    /** The newest parameters, as replicas train on from them. */
    NEWEST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<String> DIRECTORY =
      ConfigOptions.key("snapshot.directory")
          .stringType()
          .noDefaultValue()
          .withDescription("Receives models: a path or URI that all machines reach. One per job.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("snapshot.interval")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription("Least time between two models. 0: none by time.");

  public static final ConfigOption<Integer> ROUNDS =
      ConfigOptions.key("snapshot.rounds")
          .intType()
          .noDefaultValue()
          .withDescription("Rounds between two models.");

  public static final ConfigOption<Parameters> PARAMETERS =
      ConfigOptions.key("snapshot.parameters")
          .enumType(Parameters.class)
          .defaultValue(Parameters.AVERAGE)
          .withDescription("Whether the moving average or the newest parameters are published.");

  public static final ConfigOption<Integer> KEEP =
      ConfigOptions.key("snapshot.keep")
          .intType()
          .defaultValue(5)
          .withDescription("Newest models that are kept.");

  public static final ConfigOption<Integer> KEEP_EVERY =
      ConfigOptions.key("snapshot.keep-every")
          .intType()
          .noDefaultValue()
          .withDescription("One of so many models is never deleted.");

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("snapshot.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Compacted topic that receives each served model. Needs snapshot.directory.");

  public static final ConfigOption<String> SIGNING_KEY =
      ConfigOptions.key("snapshot.signing-key")
          .stringType()
          .noDefaultValue()
          .withDescription("PEM file of the Ed25519 key that signs models, on the machines.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Snapshots",
          "Models as files. See [snapshots](../internals/snapshots.md).",
          List.of(
              Setting.common(DIRECTORY, Range.text("a directory's path or URI")),
              Setting.of(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(ROUNDS, Range.atLeast(1)),
              Setting.of(PARAMETERS, Range.oneOf(Parameters.class)),
              Setting.of(KEEP, Range.atLeast(1)),
              Setting.of(KEEP_EVERY, Range.atLeast(1)),
              Setting.of(TOPIC, Range.text("a topic's name")),
              Setting.of(SIGNING_KEY, Range.text("a file's path"))));

  private SnapshotOptions() {}
}
