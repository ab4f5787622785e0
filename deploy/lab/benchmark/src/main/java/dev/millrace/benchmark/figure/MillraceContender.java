package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.Workload;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A job from a topic named as the workload, on a cluster of processes.
 *
 * @param options beside those of a workload, over which they win
 */
record MillraceContender(
    String title, Cluster cluster, Function<Workload, Map<String, String>> options)
    implements Contender {

  private static final AtomicInteger RUNS = new AtomicInteger();

  /** Runs with the same options for all workloads. */
  MillraceContender(String title, Cluster cluster, Map<String, String> options) {
    this(title, cluster, any -> options);
  }

  @Override
  public double examplesPerSecond(Workload workload) {
    return new TrainingRun(cluster, workload.name() + "-run-" + RUNS.incrementAndGet())
        .setAll(workload.options())
        .set("batch.local-size", Integer.toString(workload.batch()))
        .setAll(options.apply(workload))
        .run()
        .examplesPerSecond();
  }
}
