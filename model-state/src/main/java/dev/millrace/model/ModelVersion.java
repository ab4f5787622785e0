package dev.millrace.model;

import java.io.Serializable;

/**
 * The version of a global model. It never goes back: the round counts up with every combination,
 * and the generation with every restore, because what follows a restore may differ from what was
 * published before the failure.
 *
 * @param generation number of restores that this lineage has behind it
 * @param round number of rounds that made the model
 */
public record ModelVersion(long generation, long round)
    implements Comparable<ModelVersion>, Serializable {

  @Override
  public int compareTo(ModelVersion other) {
    int byGeneration = Long.compare(generation, other.generation);
    return byGeneration != 0 ? byGeneration : Long.compare(round, other.round);
  }

  /** For people and file names: {@code 2.1500} is round 1500 of generation 2. */
  @Override
  public String toString() {
    return generation + "." + round;
  }
}
