package dev.millrace.job.serve;

import java.time.Duration;
import java.util.Objects;

/**
 * How requests are predicted together.
 *
 * @param predictors threads that predict, each with a replica of its own
 * @param maxBatch most rows that are predicted at once
 * @param maxWait how long a request waits for others at most, where there is room for them
 * @param maxQueue most rows that wait; what comes then is refused
 */
public record Batching(int predictors, int maxBatch, Duration maxWait, int maxQueue) {

  public Batching {
    Objects.requireNonNull(maxWait, "maxWait");
    if (predictors < 1 || maxBatch < 1 || maxQueue < 1 || maxWait.isNegative()) {
      throw new IllegalArgumentException(
          "%s predictors, batches of %s rows, a wait of %s and a queue of %s rows can't be"
              .formatted(predictors, maxBatch, maxWait, maxQueue));
    }
  }
}
