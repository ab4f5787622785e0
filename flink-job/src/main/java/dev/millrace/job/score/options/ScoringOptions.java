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
    /**
     * The models that a completed checkpoint of training covers, so that none is ever taken back.
     */
    COMMITTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What all keys of the group start with. */
  public static final String PREFIX = "scoring.";

  public static final ConfigOption<List<String>> TOPICS =
      ConfigOptions.key(PREFIX + "topics")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Topics of examples to predict for. Required for scoring.");

  public static final ConfigOption<String> OUTPUT_TOPIC =
      ConfigOptions.key(PREFIX + "output-topic")
          .stringType()
          .noDefaultValue()
          .withDescription("Receives predictions, with their records' keys. Required for scoring.");

  public static final ConfigOption<String> MODELS =
      ConfigOptions.key(PREFIX + "models")
          .stringType()
          .noDefaultValue()
          .withDescription("Directory of published models. Absent: snapshot.directory.");

  public static final ConfigOption<String> MODELS_TOPIC =
      ConfigOptions.key(PREFIX + "models-topic")
          .stringType()
          .noDefaultValue()
          .withDescription("Topic of published models, in place of a directory.");

  public static final ConfigOption<String> ENGINE =
      ConfigOptions.key(PREFIX + "engine")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Engine of the models; others are refused. torch runs their code. Absent:"
                  + " model.engine.");

  public static final ConfigOption<List<String>> TRUSTED_KEYS =
      ConfigOptions.key(PREFIX + "trusted-keys")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("PEM files of public keys. Only models that one has signed are served.");

  public static final ConfigOption<Serve> SERVE =
      ConfigOptions.key(PREFIX + "serve")
          .enumType(Serve.class)
          .defaultValue(Serve.LATEST)
          .withDescription("Whether the latest or the last committed model is served.");

  public static final ConfigOption<Integer> BATCH_SIZE =
      ConfigOptions.key(PREFIX + "batch-size")
          .intType()
          .defaultValue(64)
          .withDescription("Most examples that are predicted together.");

  public static final ConfigOption<Duration> MAX_WAIT =
      ConfigOptions.key(PREFIX + "max-wait")
          .durationType()
          .defaultValue(Duration.ofMillis(5))
          .withDescription("A batch that isn't full is predicted after this time.");

  public static final ConfigOption<String> START =
      ConfigOptions.key(PREFIX + "start")
          .stringType()
          .defaultValue("earliest")
          .withDescription("Where scoring without state begins.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Scoring",
          "Predictions by the newest model: a job of its own, or part of training. See"
              + " [score and serve](../guides/score-and-serve.md).",
          List.of(
              Setting.of(TOPICS, Range.listOf(Range.text("a topic's name"))),
              Setting.of(OUTPUT_TOPIC, Range.text("a topic's name")),
              Setting.of(MODELS, Range.text("a directory's path or URI")),
              Setting.of(MODELS_TOPIC, Range.text("a topic's name")),
              Setting.of(ENGINE, Range.text("the name of an engine on the class path")),
              Setting.of(TRUSTED_KEYS, Range.listOf(Range.text("a file's path"))),
              Setting.of(SERVE, Range.oneOf(Serve.class)),
              Setting.of(BATCH_SIZE, Range.atLeast(1)),
              Setting.of(MAX_WAIT, Range.atLeast(Duration.ofMillis(1), "1 ms")),
              Setting.of(START, InputOptions.START_RANGE)));

  private ScoringOptions() {}

  /** Whether a training job is to score, too: it is where it has topics for that. */
  public static boolean areGiven(Configuration options) {
    return options.contains(TOPICS) || options.contains(OUTPUT_TOPIC);
  }
}
