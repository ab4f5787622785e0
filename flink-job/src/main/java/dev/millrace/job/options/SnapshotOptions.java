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
    /** As replicas train on from them. */
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
          .withDescription(
              "Receives models as archives, each with a JSON description: a path or a URI"
                  + " (s3://bucket/models) that all machines reach. Each job needs its own. Absent:"
                  + " no models; millrace train and demo use the work directory.");

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("snapshot.interval")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "Least time between two models. A model is published when the next round ends. 0:"
                  + " none by time. The end of the input always publishes one, and so does a stop"
                  + " with checkpoints.");

  public static final ConfigOption<Integer> ROUNDS =
      ConfigOptions.key("snapshot.rounds")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Rounds between two models, in addition to snapshot.interval. Absent: none by"
                  + " rounds.");

  public static final ConfigOption<Parameters> PARAMETERS =
      ConfigOptions.key("snapshot.parameters")
          .enumType(Parameters.class)
          .defaultValue(Parameters.AVERAGE)
          .withDescription(
              "Which parameters published and measured models have. average: the moving average,"
                  + " without updater state, for serving. newest: those that replicas train on"
                  + " from.");

  public static final ConfigOption<Integer> KEEP =
      ConfigOptions.key("snapshot.keep")
          .intType()
          .defaultValue(5)
          .withDescription(
              "Number of newest models that are kept. Older ones are deleted, except the"
                  + " served one.");

  public static final ConfigOption<Integer> KEEP_EVERY =
      ConfigOptions.key("snapshot.keep-every")
          .intType()
          .noDefaultValue()
          .withDescription("Every so many models one is never deleted. Absent: none is.");

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("snapshot.topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives each model that may be served, in blocks: a compacted topic of one"
                  + " partition, which the job creates. It always holds a whole model; see"
                  + " formats.md. Needs snapshot.directory.");

  public static final ConfigOption<String> SIGNING_KEY =
      ConfigOptions.key("snapshot.signing-key")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A file with the private key that signs each model, for scoring.trusted-keys: PEM, as"
                  + " openssl genpkey -algorithm ed25519 writes it. Read where models are"
                  + " published, on a machine of the cluster. Absent: models aren't signed.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Snapshots",
          "Global models as files, written whole or not at all; see snapshots.md.",
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
