package dev.millrace.job.train.part.population;

import static dev.millrace.job.options.Condition.absent;
import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/** Trains several models in the place of one. */
public final class PopulationPart implements OptionalPart {

  @Override
  public OptionGroup options() {
    return PopulationOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return Stream.of(
            refused(absent(PopulationOptions.LEARNING_RATES), LearningOptions.LEARNING_RATE),
            refused(given(PopulationOptions.LEARNING_RATES), PopulationOptions.REPLAY))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Adds nothing where members are given: what is told of each of its own isn't of others. Neither
   * where fields are ids: nobody has measured what several models gain there.
   */
  @Override
  public Map<String, String> streaming(Configuration given) {
    return given.contains(PopulationOptions.LEARNING_RATES) || InputFields.haveIds(given)
        ? Map.of()
        : Map.of(
            PopulationOptions.LEARNING_RATES.key(), "0.001;0.003;0.001;0.003",
            PopulationOptions.REPLAY.key(), "0;0;7;7");
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    PopulationOptions.check(rules);
  }

  @Override
  public Optional<InitialModel> define(
      ModelDefinition definition, ModelEngine engine, Configuration options) {
    return new PopulationSetup(options, engine).define(definition);
  }
}
