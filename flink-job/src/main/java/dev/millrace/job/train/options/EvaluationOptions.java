package dev.millrace.job.train.options;

import dev.millrace.file.DataSpec;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How it is measured what the model has learned. */
public final class EvaluationOptions {

  public static final ConfigOption<Integer> WINDOW =
      ConfigOptions.key("evaluation.window")
          .intType()
          .defaultValue(5000)
          .withDescription("Latest examples that sliding measures cover.");

  public static final ConfigOption<String> HOLDOUT =
      ConfigOptions.key("evaluation.holdout")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Examples to measure models by, which aren't learned: files or a topic.");

  public static final ConfigOption<Integer> EVERY =
      ConfigOptions.key("evaluation.every")
          .intType()
          .defaultValue(200)
          .withDescription("Rounds between two evaluations.");

  /** What the model is measured by, one by one. */
  public enum Segments {
    /** Nothing is held out of the stream. */
    NONE,
    /** Each class. */
    CLASS,
    /** Records of a partition that follow each other. */
    PERIOD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Segments> SEGMENTS =
      ConfigOptions.key("evaluation.segments")
          .enumType(Segments.class)
          .defaultValue(Segments.NONE)
          .withDescription("Measures the model by class, or by 10,000 records of a partition.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Evaluation",
          "Every example is predicted before it is learned.",
          List.of(
              Setting.of(WINDOW, Range.atLeast(1)),
              Setting.common(
                  HOLDOUT,
                  Range.text(
                      "idx:DIR, csv:FILE[,holdout=ROWS], topic:NAME or, for commands of millrace alone,"
                          + " digits:COUNT[,SEED]",
                      EvaluationOptions::isDataSpec)),
              Setting.of(EVERY, Range.atLeast(1)),
              Setting.of(SEGMENTS, Range.oneOf(Segments.class))));

  private static final String TOPIC = "topic:";

  /** The hold-out set is a topic, in the input's format. */
  public static final Condition HOLDOUT_IS_TOPIC =
      new Condition(
          "with a topic as evaluation.holdout", options -> holdOutTopic(options).isPresent());

  private EvaluationOptions() {}

  /** The topic of hold-out examples; empty where they are none or in files. */
  public static Optional<String> holdOutTopic(Configuration options) {
    return options
        .getOptional(HOLDOUT)
        .filter(holdOut -> holdOut.startsWith(TOPIC))
        .map(holdOut -> holdOut.substring(TOPIC.length()));
  }

  private static boolean isDataSpec(String value) {
    if (value.startsWith(TOPIC)) {
      return value.length() > TOPIC.length();
    }
    try {
      DataSpec.parse(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
