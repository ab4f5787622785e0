package dev.millrace.exchange;

import dev.millrace.exchange.aggregate.Aggregator;
import java.util.Arrays;

/**
 * Adds the changes up, so that every example counts in full, once for each time it is in a round.
 */
public final class SumOfChanges implements Aggregator {

  @Override
  public void aggregate(float[][] changes, double[] weights, int length, float[] result) {
    Arrays.fill(result, 0, length, 0f);
    for (int member = 0; member < weights.length; member++) {
      for (int i = 0; i < length; i++) {
        result[i] += changes[member][i];
      }
    }
  }
}
