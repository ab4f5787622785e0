package dev.millrace.exchange.flink.coordinator;

import java.io.Serializable;
import java.time.Duration;

/**
 * What metrics are told.
 *
 * @param window examples that sliding measures cover
 * @param interval least time between two reports
 * @param timeline whether each round's timeline is told
 */
public record ReportSettings(long window, Duration interval, boolean timeline)
    implements Serializable {}
