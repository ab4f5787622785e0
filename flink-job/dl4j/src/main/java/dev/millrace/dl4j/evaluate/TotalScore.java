package dev.millrace.dl4j.evaluate;

import java.io.Serializable;

/**
 * The score of some examples.
 *
 * @param sum of their scores
 * @param examples how many they are
 */
public record TotalScore(double sum, long examples) implements Serializable {

  TotalScore plus(TotalScore other) {
    return new TotalScore(sum + other.sum, examples + other.examples);
  }

  /** Returns the mean; NaN where there is no example. */
  public double mean() {
    return sum / examples;
  }
}
