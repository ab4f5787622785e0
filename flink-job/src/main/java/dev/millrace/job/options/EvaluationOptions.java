package dev.millrace.job.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How it is measured what the model has learned. */
public final class EvaluationOptions {

  public static final ConfigOption<Integer> WINDOW =
      ConfigOptions.key("evaluation.window")
          .intType()
          .defaultValue(5000)
          .withDescription("Latest examples that the sliding prequential measures cover.");

  public static final ConfigOption<String> HOLDOUT =
      ConfigOptions.key("evaluation.holdout")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Examples to measure models by: the test files of a directory in MNIST's format; the"
                  + " last ROWS rows of a table, or all of it; or 2,000 drawn digits as they are"
                  + " after the drift, whatever COUNT is. A table is laid out as input.csv.* says. A"
                  + " job must not learn from them.");

  public static final ConfigOption<String> HOLDOUT_TOPIC =
      ConfigOptions.key("evaluation.holdout-topic")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A topic of hold-out examples, in the format of the input; read to its end when a"
                  + " model is first measured, and again after a restart. Records that are no"
                  + " examples are left out, and the log says how many.");

  public static final ConfigOption<Integer> EVERY =
      ConfigOptions.key("evaluation.every")
          .intType()
          .defaultValue(200)
          .withDescription("Rounds between evaluations of the global model on the hold-out set.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Evaluation",
          "Every example is predicted before it is learned from; a hold-out set is evaluated on"
              + " the global model from time to time.",
          List.of(
              Setting.of(WINDOW, Range.atLeast(1)),
              Setting.of(
                  HOLDOUT,
                  Range.text(
                      "idx:DIR, csv:FILE[,holdout=ROWS] or digits:COUNT[,SEED]",
                      Texts::isDataSpec)),
              Setting.of(HOLDOUT_TOPIC, Range.text("a topic's name")),
              Setting.of(EVERY, Range.atLeast(1))));

  private EvaluationOptions() {}
}
