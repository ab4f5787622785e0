package dev.millrace.exchange.codec;

/** See {@link ThresholdRule#quantile}. */
record QuantileThreshold(double share) implements ThresholdRule {

  /** Biases and the like are too few for a small share, and cost little. */
  private static final int LEAST_VALUES = 64;

  QuantileThreshold {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("A share is above 0 and at most 1, not " + share);
    }
  }

  @Override
  public float first() {
    return Float.MIN_NORMAL;
  }

  @Override
  public float of(Sample sample, float kept) {
    double wanted = Math.min(1, Math.max(share, (double) LEAST_VALUES / sample.length()));
    float magnitude = sample.magnitude(wanted);
    return magnitude == 0 ? kept : magnitude;
  }

  @Override
  public float next(float threshold, double shareSent) {
    return threshold;
  }

  @Override
  public boolean looksAtChanges() {
    return true;
  }
}
