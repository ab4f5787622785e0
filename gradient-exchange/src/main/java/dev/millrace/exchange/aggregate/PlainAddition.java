package dev.millrace.exchange.aggregate;

/** No server optimizer: the combined change is added as it is. */
final class PlainAddition implements ServerOptimizer {

  @Override
  public int stateSize(int blockSize) {
    return 0;
  }

  @Override
  public void apply(float[] values, float[] change, float[] state) {
    for (int i = 0; i < values.length; i++) {
      values[i] += change[i];
    }
  }
}
