package dev.millrace.dl4j;

import dev.millrace.job.train.options.ExchangeOptions;
import java.util.Map;

/**
 * How a network is trained.
 *
 * @param workers replicas, at least 1
 * @param prefetched minibatches that are read ahead
 * @param reportsScore whether the log has each round's score
 * @param options of docs/reference/options.md
 */
record RunSettings(int workers, int prefetched, boolean reportsScore, Map<String, String> options) {

  static final String LOCAL_STEPS = ExchangeOptions.LOCAL_STEPS.key();
  static final String AVERAGE_UPDATER = ExchangeOptions.AVERAGE_UPDATER.key();

  RunSettings {
    options = Map.copyOf(options);
  }

  /** Returns the minibatches of a replica in a round. */
  int localSteps() {
    return Integer.parseInt(options.getOrDefault(LOCAL_STEPS, "1"));
  }
}
