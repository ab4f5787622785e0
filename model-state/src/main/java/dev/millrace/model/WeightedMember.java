package dev.millrace.model;

import java.util.Objects;

/**
 * Holds a member of a model that is made of several, as a model of its own engine.
 *
 * @param vector [parameters | updater state], or the parameters alone
 * @param weight what it counts in the predictions of all; those of all members add up to 1
 */
public record WeightedMember(ModelSpec spec, float[] vector, double weight) {

  public WeightedMember {
    Objects.requireNonNull(spec, "spec");
  }
}
