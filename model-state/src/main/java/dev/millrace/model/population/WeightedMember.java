package dev.millrace.model.population;

import dev.millrace.model.ModelSpec;
import java.util.Objects;

/**
 * A member of a population, as a model of its own engine.
 *
 * @param vector [parameters | updater state], or the parameters alone
 * @param weight what it counts in the population's predictions; those of all members add up to 1
 */
public record WeightedMember(ModelSpec spec, float[] vector, double weight) {

  public WeightedMember {
    Objects.requireNonNull(spec, "spec");
  }
}
