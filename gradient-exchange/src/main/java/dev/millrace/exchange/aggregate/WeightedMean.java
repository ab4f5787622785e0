package dev.millrace.exchange.aggregate;

/** Example-weighted mean. */
final class WeightedMean implements Aggregator {

  @Override
  public void aggregate(float[][] changes, double[] weights, int from, int to, float[] result) {
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    for (int member = 0; member < weights.length; member++) {
      float share = (float) (weights[member] / total);
      float[] change = changes[member];
      if (member == 0) {
        for (int i = from; i < to; i++) {
          result[i] = share * change[i];
        }
      } else {
        for (int i = from; i < to; i++) {
          result[i] += share * change[i];
        }
      }
    }
  }

  @Override
  public boolean combinesInParts() {
    return true;
  }
}
