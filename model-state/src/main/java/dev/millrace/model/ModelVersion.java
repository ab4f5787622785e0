package dev.millrace.model;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})");

  /**
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is no version
   */
  public static ModelVersion parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no model version; one is written generation.round, such as 2.1500"
              .formatted(text));
    }
    return new ModelVersion(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }

  @Override
  public int compareTo(ModelVersion other) {
    int byGeneration = Long.compare(generation, other.generation);
    return byGeneration != 0 ? byGeneration : Long.compare(round, other.round);
  }

  /** Writes the version for people and file names: {@code 2.1500} is round 1500 of generation 2. */
  @Override
  public String toString() {
    return generation + "." + round;
  }
}
