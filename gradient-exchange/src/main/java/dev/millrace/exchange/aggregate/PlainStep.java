package dev.millrace.exchange.aggregate;

/** No server optimizer: the combined change is added, scaled. */
record PlainStep(float rate) implements ServerOptimizer {

  @Override
  public int stateSize(int parameters) {
    return 0;
  }

  @Override
  public void apply(float[] values, float[] change, int length, float[] state) {
    for (int i = 0; i < length; i++) {
      values[i] += rate * change[i];
    }
  }
}
