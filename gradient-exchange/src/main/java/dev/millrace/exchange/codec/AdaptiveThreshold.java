package dev.millrace.exchange.codec;

/** See {@link ThresholdRule#adaptive(float, double, double, double)}. */
record AdaptiveThreshold(float first, double least, double most, double decay)
    implements ThresholdRule {

  AdaptiveThreshold {
    FixedThreshold.check(first);
    if (!(least >= 0 && least <= most && most <= 1)) {
      throw new IllegalArgumentException(
          "Not a range of shares within 0 and 1: %s to %s".formatted(least, most));
    }
    if (!(decay > 0 && decay < 1)) {
      throw new IllegalArgumentException("A decay is between 0 and 1, not " + decay);
    }
  }

  @Override
  public float next(float threshold, double share) {
    if (share < least) {
      return (float) (threshold * decay);
    }
    return share > most ? (float) (threshold / decay) : threshold;
  }
}
