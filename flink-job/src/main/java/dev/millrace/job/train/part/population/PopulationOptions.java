package dev.millrace.job.train.part.population;

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
              "A model for each rate; their weighted mean predicts. Absent: one model.");

  public static final ConfigOption<List<Integer>> REPLAY =
      ConfigOptions.key("model.population.replay")
          .intType()
          .asList()
          .noDefaultValue()
          .withDescription("Most replayed examples in each member's step. Absent: all.");

  public static final ConfigOption<Double> FOLLOW =
      ConfigOptions.key("model.population.follow")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("How fast rates follow the members that predict better. 0: not.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Population",
          "For `model.name`, and for `model.archive` with the engine torch. See"
              + " [changing data](../guides/changing-data.md).",
          List.of(
              Setting.of(LEARNING_RATES, Range.listOf(Range.above(0))),
              Setting.of(REPLAY, Range.listOf(Range.atLeast(0))),
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
