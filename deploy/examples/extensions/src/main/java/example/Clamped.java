package example;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.AggregatorExtension;
import java.util.Map;

/** The mean of what members contribute, each value within a bound: no member moves any further. */
public final class Clamped implements AggregatorExtension {

  @Override
  public String name() {
    return "clamped";
  }

  @Override
  public Aggregator create(Map<String, String> options) {
    String bound = options.getOrDefault("clamped.bound", "0.1");
    try {
      return new Mean(Float.parseFloat(bound));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "extension.options.clamped.bound is '" + bound + "'; it must be a number", e);
    }
  }

  record Mean(float bound) implements Aggregator {

    @Override
    public void aggregate(float[][] changes, double[] weights, int from, int to, float[] result) {
      double total = 0;
      for (double weight : weights) {
        total += weight;
      }
      for (int i = from; i < to; i++) {
        result[i] = 0;
      }
      for (int member = 0; member < weights.length; member++) {
        float share = (float) (weights[member] / total);
        for (int i = from; i < to; i++) {
          result[i] += share * Math.max(-bound, Math.min(bound, changes[member][i]));
        }
      }
    }
  }
}
