package dev.millrace.job.train.setup;

import dev.millrace.job.train.options.PopulationOptions;
import dev.millrace.model.InitialModel;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Makes one model of a definition, or the population that checked options ask for. */
final class PopulationSetup {

  /**
   * Share that a member's loss keeps with each example: weights follow a change within hundreds.
   */
  private static final double DISCOUNT = 0.99;

  /** How fast a member's weight falls with its discounted loss. */
  private static final double SHARPNESS = 0.5;

  private final Configuration options;
  private final ModelEngine engine;

  /** {@code engine} is the one that options name. */
  PopulationSetup(Configuration options, ModelEngine engine) {
    this.options = options;
    this.engine = engine;
  }

  /**
   * Makes it.
   *
   * @throws InvalidModelException as {@link ModelEngine#define}
   */
  InitialModel define(ModelDefinition definition) {
    if (definition instanceof Archive archive && isPopulation(archive.file())) {
      InitialModel model = ModelEngine.named(PopulationEngine.NAME).define(definition);
      requireRates(archive.file(), Population.fromJson(model.spec().configuration()));
      return model;
    }
    return options.contains(PopulationOptions.LEARNING_RATES)
        ? begin(definition)
        : engine.define(definition);
  }

  private InitialModel begin(ModelDefinition definition) {
    List<Double> rates = options.get(PopulationOptions.LEARNING_RATES);
    Optional<List<Integer>> replay = options.getOptional(PopulationOptions.REPLAY);
    List<InitialModel> models = new ArrayList<>();
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      int member = i;
      InitialModel model = engine.define(member(definition, i, rates.get(i)));
      models.add(model);
      Integer most = replay.map(list -> list.get(member)).orElse(null);
      members.add(Member.of(model.spec(), rates.get(i), most));
    }
    return new Population(DISCOUNT, SHARPNESS, options.get(PopulationOptions.FOLLOW), members)
        .begin(models);
  }

  private static ModelDefinition member(ModelDefinition definition, int member, double rate) {
    if (definition instanceof BuiltIn one) {
      return new BuiltIn(
          one.name(),
          one.shape(),
          one.hidden(),
          one.image(),
          LearningSetup.ofMember(one.learning(), rate),
          one.seed() + member);
    }
    Archive archive = (Archive) definition;
    return new Archive(
        archive.file(), archive.shape(), LearningSetup.ofMember(archive.learning(), rate));
  }

  /**
   * Says whether an archive is a population's. What can't be read is the engine's to complain of.
   */
  private static boolean isPopulation(Path archive) {
    try {
      return ModelEngine.of(archive)
          .filter(found -> found.name().equals(PopulationEngine.NAME))
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private void requireRates(Path archive, Population population) {
    List<Double> kept = population.members().stream().map(Member::learningRate).toList();
    options
        .getOptional(PopulationOptions.LEARNING_RATES)
        .filter(rates -> !rates.equals(kept))
        .ifPresent(
            rates -> {
              throw new InvalidModelException(
                  "%s is %s, and the archive %s is a population of %s, which it keeps; leave it out"
                      .formatted(PopulationOptions.LEARNING_RATES.key(), rates, archive, kept));
            });
  }
}
