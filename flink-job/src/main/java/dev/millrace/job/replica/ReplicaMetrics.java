package dev.millrace.job.replica;

import dev.millrace.exchange.replica.Replica;
import dev.millrace.model.Measures;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/** Metrics of one replica, in the words of the architecture page. */
final class ReplicaMetrics {

  private static final double NANOS_PER_MILLI = 1e6;

  private final Counter examples;
  private final Counter localSteps;
  private final Counter rejected;
  private final Counter contributions;
  private double loss = Double.NaN;
  private double roundLatencyMillis = Double.NaN;
  private long contributedAt;

  ReplicaMetrics(MetricGroup group, Replica replica) {
    examples = group.counter("examples", new SimpleCounter());
    localSteps = group.counter("localSteps", new SimpleCounter());
    rejected = group.counter("rejected", new SimpleCounter());
    contributions = group.counter("contributions", new SimpleCounter());
    group.gauge("loss", () -> loss);
    group.gauge("roundLatencyMillis", () -> roundLatencyMillis);
    group.gauge("round", replica::round);
  }

  void learned(int size, Measures measures) {
    examples.inc(size);
    localSteps.inc();
    loss = measures.meanLoss();
  }

  void rejected() {
    rejected.inc();
  }

  void contributed() {
    contributions.inc();
    contributedAt = System.nanoTime();
  }

  /** The newest contribution is in the global model. */
  void released() {
    if (contributedAt != 0) {
      roundLatencyMillis = (System.nanoTime() - contributedAt) / NANOS_PER_MILLI;
      contributedAt = 0;
    }
  }

  long steps() {
    return localSteps.getCount();
  }
}
