package dev.millrace.exchange.aggregate;

/** No server optimizer: the combined change is added, scaled. */
record PlainStep(float rate) implements ServerOptimizer {

  @Override
  public StateShape stateShape() {
    return StateShape.NONE;
  }

  @Override
  public void apply(float[] values, float[] change, int length, double size, float[] state) {
    for (int i = 0; i < length; i++) {
      values[i] += rate * change[i];
    }
  }
}
