package dev.millrace.job.train.part.population;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Makes the population that checked options ask for. */
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
   * Makes it; empty where they ask for one model.
   *
   * @throws InvalidModelException as {@link ModelEngine#define}
   */
  Optional<InitialModel> define(ModelDefinition definition) {
    if (definition instanceof Archive archive && isPopulation(archive.file())) {
      InitialModel model = ModelEngine.named(PopulationEngine.NAME).define(definition);
      requireRates(archive.file(), Population.fromJson(model.spec().configuration()));
      return Optional.of(model);
    }
    return options.contains(PopulationOptions.LEARNING_RATES)
        ? Optional.of(begin(definition))
        : Optional.empty();
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
          learning(one.learning(), rate),
          one.seed() + member);
    }
    Archive archive = (Archive) definition;
    return new Archive(archive.file(), archive.shape(), learning(archive.learning(), rate));
  }

  /** Returns how a member learns: as all do, at a learning rate of its own. */
  private static Learning learning(Learning all, double rate) {
    return new Learning(
        all.loss(),
        all.updater(),
        Optional.of(rate),
        all.momentum(),
        all.l2(),
        all.weightDecay(),
        all.schedule(),
        all.clip(),
        all.precision());
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
