package dev.millrace.job.join;

import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counts what becomes of records: for monitoring, from the task's start on, and for the command
 * line as accumulators of the job.
 *
 * <p>Written by the task's thread, read by any.
 */
public final class JoinMetrics {

  /** What is counted. */
  public enum Count {
    /** Features that have gone on with their label. */
    PAIRS("pairs"),
    /** Features without a label that have gone on as negative ones. */
    NEGATIVES("negatives"),
    /** Features without a label that have been left out. */
    UNLABELLED("unlabelled"),
    LATE("lateRecords"),
    DUPLICATES("duplicateRecords"),
    REJECTED("joinRejected");

    private final String metric;

    Count(String metric) {
      this.metric = metric;
    }

    /** Name of the job's accumulator. */
    public String accumulator() {
      return metric;
    }
  }

  private final Map<Count, Counter> counters = new EnumMap<>(Count.class);
  private final Map<Count, LongCounter> accumulators = new EnumMap<>(Count.class);

  /** Registers the metrics of an operator that counts these. */
  JoinMetrics(RuntimeContext context, MetricGroup group, Count... counts) {
    for (Count count : counts) {
      LongCounter accumulator = new LongCounter();
      counters.put(count, group.counter(count.metric));
      accumulators.put(count, accumulator);
      context.addAccumulator(count.accumulator(), accumulator);
    }
  }

  void count(Count what) {
    counters.get(what).inc();
    accumulators.get(what).add(1L);
  }
}
