package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.Workload;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A job from a topic named as the workload, on a cluster of processes.
 *
 * @param options beside those of the workload
 */
record MillraceContender(String title, Cluster cluster, Map<String, String> options)
    implements Contender {

  private static final AtomicInteger RUNS = new AtomicInteger();

  @Override
  public double examplesPerSecond(Workload workload) {
    return new TrainingRun(cluster, workload.name() + "-run-" + RUNS.incrementAndGet())
        .setAll(workload.options())
        .set("batch.local-size", Integer.toString(workload.batch()))
        .setAll(options)
        .run()
        .examplesPerSecond();
  }
}
