package dev.millrace.exchange.aggregate;

/** Sum of parameters' changes; example-weighted mean of the updater state's. */
final class Sum implements Aggregator {

  @Override
  public void aggregate(float[][] changes, double[] weights, int from, int to, float[] result) {
    System.arraycopy(changes[0], from, result, from, to - from);
    for (int member = 1; member < weights.length; member++) {
      float[] change = changes[member];
      for (int i = from; i < to; i++) {
        result[i] += change[i];
      }
    }
  }

  @Override
  public boolean averages() {
    return false;
  }

  @Override
  public Aggregator ofUpdaterState() {
    return new WeightedMean();
  }

  @Override
  public boolean combinesInParts() {
    return true;
  }
}
