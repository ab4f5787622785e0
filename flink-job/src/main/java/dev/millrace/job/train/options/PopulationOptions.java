package dev.millrace.job.train.options;

import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Several models in the place of one, so that nobody has to choose a learning rate. */
public final class PopulationOptions {

  public static final ConfigOption<List<Double>> LEARNING_RATES =
      ConfigOptions.key("model.population.learning-rates")
          .doubleType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Learning rates of the members of a population: a model of each, with a seed of its"
                  + " own. All learn every example. They predict their mean, weighted by how well"
                  + " each one has predicted lately. Absent: one model.");

  public static final ConfigOption<List<Integer>> REPLAY =
      ConfigOptions.key("model.population.replay")
          .intType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Replayed examples that each member learns in a step at most, in the order of their"
                  + " learning rates. Absent: all that a step replays.");

  public static final ConfigOption<Double> DISCOUNT =
      ConfigOptions.key("model.population.discount")
          .doubleType()
          .defaultValue(0.99)
          .withDescription(
              "Share that a member's loss keeps with each example: the smaller, the sooner weights"
                  + " follow a change.");

  public static final ConfigOption<Double> SHARPNESS =
      ConfigOptions.key("model.population.sharpness")
          .doubleType()
          .defaultValue(0.5)
          .withDescription(
              "How fast a member's weight falls with the discounted sum L of its losses:"
                  + " exp(-sharpness * L). 0 weighs all the same.");

  public static final ConfigOption<Double> FOLLOW =
      ConfigOptions.key("model.population.follow")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "How fast all learning rates rise while members of higher ones predict better, and fall"
                  + " while members of lower ones do. 0: rates stay. 0.001 moves them by a factor"
                  + " of 2 within some thousand examples.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Population",
          "For `model.name`, and for `model.archive` with the engine torch."
              + " [Changing data](../guides/changing-data.md) says when it helps, and what it costs.",
          List.of(
              Setting.of(LEARNING_RATES, Range.listOf(Range.above(0))),
              Setting.of(REPLAY, Range.listOf(Range.atLeast(0))),
              Setting.of(DISCOUNT, Range.fraction()),
              Setting.of(SHARPNESS, Range.atLeast(0.0)),
              Setting.of(FOLLOW, Range.between(0, 1))));

  private PopulationOptions() {}

  /** Whether there is more than one model. */
  static void check(OptionRules rules) {
    if (!rules.has(LEARNING_RATES)) {
      return;
    }
    int members = rules.options().get(LEARNING_RATES).size();
    if (rules.has(ModelOptions.CONFIGURATION)) {
      rules.broken(
          "%s is set, and %s says itself how its network learns; take %s"
              .formatted(
                  LEARNING_RATES.key(), ModelOptions.CONFIGURATION.key(), ModelOptions.NAME.key()));
    }
    rules
        .options()
        .getOptional(REPLAY)
        .filter(list -> list.size() != members)
        .ifPresent(
            list ->
                rules.broken(
                    "%s has %s values and %s has %s; give one for each member"
                        .formatted(REPLAY.key(), list.size(), LEARNING_RATES.key(), members)));
  }
}
