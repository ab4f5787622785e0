package dev.millrace.job.train.options;

import dev.millrace.file.DataSpec;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How it is measured what the model has learned. */
public final class EvaluationOptions {

  public static final ConfigOption<Integer> WINDOW =
      ConfigOptions.key("evaluation.window")
          .intType()
          .defaultValue(5000)
          .withDescription(
              "Number of latest examples that the sliding prequential measures cover.");

  public static final ConfigOption<String> HOLDOUT =
      ConfigOptions.key("evaluation.holdout")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Examples to measure models by, which no job may learn from: the test files of"
                  + " an MNIST directory, the last ROWS rows of a table (or all), or 2,000 drawn"
                  + " digits. input.csv.* describes the table.");

  public static final ConfigOption<String> HOLDOUT_TOPIC =
      ConfigOptions.key("evaluation.holdout-topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A topic of hold-out examples, in the input's format. It is read to its end"
                  + " before the first measurement, and again after a restart. Records that are no"
                  + " examples are left out, and logged.");

  public static final ConfigOption<Integer> EVERY =
      ConfigOptions.key("evaluation.every")
          .intType()
          .defaultValue(200)
          .withDescription(
              "Rounds between two evaluations of the global model on the hold-out set, and by"
                  + " segment.");

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
          .withDescription(
              "Parts of the stream to measure the global model by, which shows what it forgets."
                  + " class: the examples of each class; period: each evaluation.segments.period"
                  + " records of a partition.");

  public static final ConfigOption<Double> SEGMENTS_SHARE =
      ConfigOptions.key("evaluation.segments.share")
          .doubleType()
          .defaultValue(0.01)
          .withDescription(
              "Share of the stream's records that is held out of training for it. Their places"
                  + " decide, so these are always the same. The ledger counts them apart.");

  public static final ConfigOption<Integer> SEGMENTS_SIZE =
      ConfigOptions.key("evaluation.segments.size")
          .intType()
          .defaultValue(200)
          .withDescription(
              "Most examples of a segment that are kept, drawn evenly from those that are held"
                  + " out.");

  public static final ConfigOption<Long> SEGMENTS_PERIOD =
      ConfigOptions.key("evaluation.segments.period")
          .longType()
          .defaultValue(10_000L)
          .withDescription("Records of a partition that make up a period.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Evaluation",
          "Every example is predicted before it is learned from. The global model is evaluated on a"
              + " hold-out set from time to time.",
          List.of(
              Setting.of(WINDOW, Range.atLeast(1)),
              Setting.common(
                  HOLDOUT,
                  Range.text(
                      "idx:DIR, csv:FILE[,holdout=ROWS] or digits:COUNT[,SEED]",
                      EvaluationOptions::isDataSpec)),
              Setting.of(HOLDOUT_TOPIC, Range.text("a topic's name")),
              Setting.of(EVERY, Range.atLeast(1)),
              Setting.of(SEGMENTS, Range.oneOf(Segments.class)),
              Setting.of(SEGMENTS_SHARE, Range.fraction()),
              Setting.of(SEGMENTS_SIZE, Range.atLeast(1)),
              Setting.of(SEGMENTS_PERIOD, Range.atLeast(1L))));

  private EvaluationOptions() {}

  private static boolean isDataSpec(String value) {
    try {
      DataSpec.parse(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
