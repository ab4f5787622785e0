package dev.millrace.exchange.replica;

/**
 * How a replica's learning rate follows its share of a step's examples, so that all replicas
 * together learn as one network does from the whole step.
 *
 * <p>A smaller minibatch has a noisier gradient. Its step is to be smaller in proportion, for as
 * much progress an example (Goyal et al. 2017); where updaters divide by the gradient's size, and
 * so by its noise, with the square root (Malladi et al. 2022). A mean over N replicas divides their
 * steps by N, and a sum doesn't.
 */
public enum LearningRateScaling {
  /** Rates don't follow the share. */
  NONE(0, 0),

  /** Rates follow the share in proportion. */
  LINEAR(1, 1),

  /** Rates follow the share with its square root. */
  SQUARE_ROOT(0.5, 0.5),

  /**
   * Rates follow the share in proportion where steps grow with the gradient, with the square root
   * where they don't.
   */
  AUTO(1, 0.5);

  private final double proportional;
  private final double adaptive;

  /** Exponents of the share. */
  LearningRateScaling(double proportional, double adaptive) {
    this.proportional = proportional;
    this.adaptive = adaptive;
  }

  /**
   * Returns what the learning rates of updaters are multiplied by whose steps grow with the
   * gradient.
   *
   * @param share a replica's examples of a step, as a part of those that the learning rates are
   *     meant for
   * @param averaged how many replicas' changes the exchange averages; 1 where it adds them up
   */
  public double ofProportional(double share, int averaged) {
    return factor(share, proportional, averaged);
  }

  /**
   * Returns what {@link #ofProportional} does, for updaters that divide by the gradient's size, as
   * Adam does.
   */
  public double ofAdaptive(double share, int averaged) {
    return factor(share, adaptive, averaged);
  }

  private double factor(double share, double exponent, int averaged) {
    return this == NONE ? 1 : averaged * Math.pow(share, exponent);
  }
}
