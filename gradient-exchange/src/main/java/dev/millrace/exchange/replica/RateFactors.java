package dev.millrace.exchange.replica;

/**
 * What a replica's learning rates are multiplied by, while the job learns.
 *
 * @param proportional where steps grow with the gradient, once the warm-up is over
 * @param adaptive where updaters divide by the gradient's size, once the warm-up is over
 * @param first what both rise from, in proportion to the examples of the whole job, unless they are
 *     less (gradual warm-up: Goyal et al. 2017)
 * @param warmUp examples of the whole job after which they have risen; 0 for no warm-up
 */
public record RateFactors(double proportional, double adaptive, double first, long warmUp) {

  /** Learning rates as the model's configuration has them. */
  public static final RateFactors NONE = new RateFactors(1, 1, 1, 0);

  /** Returns the factor of proportional rates where the job has learned so many examples. */
  double proportional(long examples) {
    return at(examples, proportional);
  }

  /** Returns the factor of adaptive rates where the job has learned so many examples. */
  double adaptive(long examples) {
    return at(examples, adaptive);
  }

  private double at(long examples, double last) {
    return examples >= warmUp || last <= first ? last : first + (last - first) * examples / warmUp;
  }

  /** Whether a warm-up has anything to raise. */
  public boolean rise() {
    return warmUp > 0 && (proportional > first || adaptive > first);
  }
}
