package dev.millrace.exchange.codec;

/** See {@link ThresholdRule#quantile}. */
record QuantileThreshold(double share, long warmUp) implements ThresholdRule {

  /** Biases and the like are too few for a small share, and cost little. */
  private static final int LEAST_VALUES = 64;

  QuantileThreshold {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("A share is above 0 and at most 1, not " + share);
    }
    if (warmUp < 0) {
      throw new IllegalArgumentException("A warm-up takes no less than 0 examples, not " + warmUp);
    }
  }

  @Override
  public float first() {
    return Float.MIN_NORMAL;
  }

  @Override
  public float of(Sample sample, float kept, long examples) {
    double wanted =
        Math.min(1, Math.max(shareAfter(examples), (double) LEAST_VALUES / sample.length()));
    float magnitude = sample.magnitude(wanted);
    return magnitude == 0 ? kept : magnitude;
  }

  private double shareAfter(long examples) {
    return examples >= warmUp || share >= FIRST_SHARE
        ? share
        : FIRST_SHARE * Math.pow(share / FIRST_SHARE, (double) examples / warmUp);
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
