package dev.millrace.job.train.options;

import dev.millrace.file.DataSpec;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
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
              "Rounds between two evaluations of the global model on the hold-out set.");

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
              Setting.of(EVERY, Range.atLeast(1))));

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
