package dev.millrace.job.score.options;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** What is predicted, with which models, and where to. */
public final class ScoringOptions {

  /** Which models are served. */
  public enum Serve {
    /** Each as soon as it is published. */
    LATEST,
    /** Those that a completed checkpoint of training covers, so that none is ever taken back. */
    COMMITTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How often a prediction may appear in the topic. */
  public enum Guarantee {
    /** Once; after a failure some are missing, and others there twice. */
    NONE,
    /** Once or, after a failure, more than once. */
    AT_LEAST_ONCE,
    /** Once, for readers of committed records; visible with the next checkpoint. */
    EXACTLY_ONCE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What all keys of the group start with. */
  public static final String PREFIX = "scoring.";

  public static final ConfigOption<List<String>> TOPICS =
      ConfigOptions.key(PREFIX + "topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Topics of examples to predict for, in the input's format. Labels may be"
                  + " missing, and are ignored. Required for scoring.");

  public static final ConfigOption<String> OUTPUT_TOPIC =
      ConfigOptions.key(PREFIX + "output-topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Receives a prediction for each example, with the key of its record; see"
                  + " formats.md. Required for scoring.");

  public static final ConfigOption<String> MODELS =
      ConfigOptions.key(PREFIX + "models")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The directory in which models are published. All machines must reach it."
                  + " Absent: snapshot.directory.");

  public static final ConfigOption<String> MODELS_TOPIC =
      ConfigOptions.key(PREFIX + "models-topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The topic in which models are published (snapshot.topic), instead of a"
                  + " directory.");

  public static final ConfigOption<String> ENGINE =
      ConfigOptions.key(PREFIX + "engine")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The engine of the models that are read; others are refused. torch runs the code in"
                  + " them, so name it only where those who may publish may run code. Absent:"
                  + " model.engine.");

  public static final ConfigOption<List<String>> TRUSTED_KEYS =
      ConfigOptions.key(PREFIX + "trusted-keys")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Files in PEM with public keys, or directories of such: only models are served that"
                  + " one of them has signed (snapshot.signing-key). Read where the job is"
                  + " submitted. Absent: signatures aren't looked at.");

  public static final ConfigOption<Serve> SERVE =
      ConfigOptions.key(PREFIX + "serve")
          .enumType(Serve.class)
          .defaultValue(Serve.LATEST)
          .withDescription(
              "Which models are served: latest follows latest.json, committed follows"
                  + " committed.json.");

  public static final ConfigOption<Duration> POLL_INTERVAL =
      ConfigOptions.key(PREFIX + "poll-interval")
          .durationType()
          .defaultValue(Duration.ofMillis(200))
          .withDescription("Time between two looks for a new model.");

  public static final ConfigOption<Integer> BATCH_SIZE =
      ConfigOptions.key(PREFIX + "batch-size")
          .intType()
          .defaultValue(64)
          .withDescription(
              "Largest number of examples that are predicted together. 1: each alone.");

  public static final ConfigOption<Duration> MAX_WAIT =
      ConfigOptions.key(PREFIX + "max-wait")
          .durationType()
          .defaultValue(Duration.ofMillis(5))
          .withDescription(
              "Time after a batch's first example at which it is predicted though it isn't"
                  + " full.");

  public static final ConfigOption<Guarantee> GUARANTEE =
      ConfigOptions.key(PREFIX + "guarantee")
          .enumType(Guarantee.class)
          .defaultValue(Guarantee.AT_LEAST_ONCE)
          .withDescription(
              "How often a prediction may appear in the output topic after failures."
                  + " exactly-once writes in Kafka transactions, which checkpoints commit: readers"
                  + " with isolation.level=read_committed see each prediction once, a checkpoint"
                  + " later.");

  public static final ConfigOption<String> START =
      ConfigOptions.key(PREFIX + "start")
          .stringType()
          .defaultValue("earliest")
          .withDescription(
              "Where scoring without state begins, as input.start. Its consumer group is"
                  + " kafka.group.id with -scoring behind it.");

  public static final ConfigOption<Boolean> BOUNDED =
      ConfigOptions.key(PREFIX + "bounded")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "true ends scoring at the offsets that are the latest when the job starts."
                  + " false reads without end.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Scoring",
          "Predictions for a stream, by the newest published model: in a job of its own, or in the"
              + " training job where that has scoring.topics. See serving.md.",
          List.of(
              Setting.of(TOPICS, Range.listOf(Range.text("a topic's name"))),
              Setting.of(OUTPUT_TOPIC, Range.text("a topic's name")),
              Setting.of(MODELS, Range.text("a directory's path or URI")),
              Setting.of(MODELS_TOPIC, Range.text("a topic's name")),
              Setting.of(ENGINE, Range.text("the name of an engine on the class path")),
              Setting.of(TRUSTED_KEYS, Range.listOf(Range.text("a file's path"))),
              Setting.of(SERVE, Range.oneOf(Serve.class)),
              Setting.of(POLL_INTERVAL, Range.atLeast(Duration.ofMillis(10), "10 ms")),
              Setting.of(BATCH_SIZE, Range.atLeast(1)),
              Setting.of(MAX_WAIT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(GUARANTEE, Range.oneOf(Guarantee.class)),
              Setting.of(START, InputOptions.START_RANGE),
              Setting.of(BOUNDED, Range.trueOrFalse())));

  private ScoringOptions() {}

  /** Whether a training job is to score, too: it is where it has topics for that. */
  public static boolean areGiven(Configuration options) {
    return options.contains(TOPICS) || options.contains(OUTPUT_TOPIC);
  }
}
