package dev.millrace.exchange.codec;

/** See {@link ThresholdRule#fixed}. */
record FixedThreshold(float first) implements ThresholdRule {

  FixedThreshold {
    check(first);
  }

  @Override
  public float next(float threshold, double share) {
    return first;
  }

  static void check(float threshold) {
    if (!isThreshold(threshold)) {
      throw new IllegalArgumentException(
          "A threshold is finite and at least %s, not %s".formatted(Float.MIN_NORMAL, threshold));
    }
  }

  /**
   * Says whether a value can be a threshold. It isn't denormal: what is sent would lose its
   * precision where it is scaled.
   */
  static boolean isThreshold(float value) {
    return value >= Float.MIN_NORMAL && value <= Float.MAX_VALUE;
  }
}
