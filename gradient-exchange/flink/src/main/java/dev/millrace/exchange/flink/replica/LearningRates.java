package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.exchange.replica.RateFactors;
import java.io.Serializable;

/**
 * How learning rates follow the number of replicas.
 *
 * @param scaling what they are multiplied by
 * @param warmUp examples of the whole job in which they rise to what {@code scaling} makes of them;
 *     0 for none
 */
public record LearningRates(LearningRateScaling scaling, long warmUp) implements Serializable {

  /** Rates as they are configured, whatever the number of replicas. */
  public static final LearningRates AS_CONFIGURED = new LearningRates(LearningRateScaling.NONE, 0);

  /**
   * Returns factors that rise from where all steps together are as long as those of one network.
   */
  RateFactors factors(BatchSize size, int replicas, boolean changesAddUp) {
    double share = size.share(replicas);
    int readers = size.readers(replicas);
    int averaged = changesAddUp ? 1 : readers;
    return new RateFactors(
        scaling.ofProportional(share, averaged),
        scaling.ofAdaptive(share, averaged),
        (double) averaged / readers,
        warmUp);
  }
}
