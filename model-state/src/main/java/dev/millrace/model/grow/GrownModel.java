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
   * classes are zero, so that predictions stay as they are until something is learned; a last layer
   * that is replaced begins as a new one.
   *
   * @param seed of that
   * @throws InvalidModelException if the network can't grow, saying why and what to do
   */
  public static InitialModel of(ModelEngine engine, InitialModel old, Places places, long seed) {
    InitialModel fresh = engine.resized(old.spec(), places.shape(), seed);
    Growth growth = growth(engine, old.spec(), fresh.spec(), places);
    return new InitialModel(
        fresh.spec(),
        begin(growth, places, old.vector(), fresh.vector()),
        old.iteration(),
        old.learned().map(places::apply).orElse(null),
        growth.apply(old.serverOptimizer()));
  }

  /**
   * Returns the values that the model begins with.
   *
   * @param old values of the vector, or of its parameters
   * @param fresh those that the network has when it is new
   */
  public static float[] begin(Growth growth, Places places, float[] old, float[] fresh) {
    if (places.replaces()) {
      return growth.begin(old, fresh);
    }
    return places.shape().target() == Target.REGRESSION ? growth.apply(old) : growth.begin(old);
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
