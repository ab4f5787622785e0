package dev.millrace.evaluation;

import java.util.List;

/**
 * Whether stated probabilities come true as often as they say.
 *
 * @param expectedError the mean, over the examples, of how far their bin's stated probability is
 *     from its share (ECE); null where there is no example
 * @param greatestError of any bin; null where there is no example
 */
public record Calibration(Double expectedError, Double greatestError, List<Bin> bins) {

  /**
   * Examples of similar stated probability.
   *
   * @param from the least probability of the bin
   * @param to where the next bin begins
   * @param stated mean probability; null where there is no example
   * @param observed share that came true; null where there is no example
   */
  public record Bin(double from, double to, long examples, Double stated, Double observed) {}

  public Calibration {
    bins = List.copyOf(bins);
  }
}
