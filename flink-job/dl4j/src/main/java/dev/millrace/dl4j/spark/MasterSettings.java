package dev.millrace.dl4j.spark;

import java.util.Map;

/**
 * What a training master was told.
 *
 * @param workersOrNull replicas; null: as many as the context has workers
 * @param workersPerMachineOrNull replicas on each machine, which says something in one process
 *     alone
 * @param batchSize examples of a replica's step
 * @param prefetched minibatches that each replica reads ahead, at least 1
 * @param options of docs/reference/options.md
 */
record MasterSettings(
    Integer workersOrNull,
    Integer workersPerMachineOrNull,
    int batchSize,
    int prefetched,
    Map<String, String> options) {

  MasterSettings {
    if (workersOrNull != null) {
      requirePositive("number of workers", workersOrNull);
    }
    if (workersPerMachineOrNull != null) {
      requirePositive("number of workers per node", workersPerMachineOrNull);
    }
    requirePositive("batch size of a worker", batchSize);
    options = Map.copyOf(options);
  }

  /** Returns how many replicas train. */
  int workers(JavaSparkContext context) {
    if (workersOrNull != null) {
      return workersOrNull;
    }
    return workersPerMachineOrNull != null && context.training().isEmbedded()
        ? workersPerMachineOrNull
        : context.defaultParallelism();
  }

  static void requirePositive(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("The %s is %s: give 1 or more".formatted(what, value));
    }
  }
}
