package dev.millrace.model.grow;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.Target;

/** Makes a model that takes more features and gives more outputs than one that has learned. */
public final class GrownModel {

  private GrownModel() {}

  /**
   * Makes it. What is known keeps its values and the updater's state. Weights of new features and
   * classes are zero, so that predictions stay as they are until something is learned.
   *
   * @throws InvalidModelException if the network can't grow, saying why and what to do
   */
  public static InitialModel of(ModelEngine engine, InitialModel old, Places places) {
    ModelSpec spec = engine.resized(old.spec(), places.shape());
    Growth growth = growth(engine, old.spec(), spec, places);
    return new InitialModel(
        spec,
        places.shape().target() == Target.REGRESSION
            ? growth.apply(old.vector())
            : growth.begin(old.vector()),
        old.iteration(),
        old.learned().map(places::apply).orElse(null),
        growth.apply(old.serverOptimizer()));
  }

  /**
   * Returns how values move from one spec's vector to another's.
   *
   * @throws InvalidModelException as {@link #of} does
   */
  public static Growth growth(ModelEngine engine, ModelSpec old, ModelSpec grown, Places places) {
    return Growth.between(
        engine.layout(old), engine.layout(grown), places.features(), places.outputs());
  }
}
