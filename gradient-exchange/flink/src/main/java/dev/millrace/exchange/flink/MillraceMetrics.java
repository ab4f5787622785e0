package dev.millrace.exchange.flink;

import org.apache.flink.metrics.MetricGroup;

/** Where this project's metrics are among those of Flink, so that reporters tell them apart. */
public final class MillraceMetrics {

  private static final String GROUP = "millrace";

  private MillraceMetrics() {}

  /** The group for the metrics of one operator's subtask. */
  public static MetricGroup of(MetricGroup operator) {
    return operator.addGroup(GROUP);
  }
}
