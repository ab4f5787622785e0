package dev.millrace.source;

import java.util.OptionalLong;
import org.apache.flink.metrics.Gauge;

/**
 * How many records wait behind those that a source has read: what its reader shows as Flink's
 * metric {@code pendingRecords}.
 *
 * <p>Thread-safe.
 */
final class PendingRecords {

  private volatile Gauge<Long> shownOrNull;

  /** The reader shows it by this from now on. */
  void shownBy(Gauge<Long> gauge) {
    shownOrNull = gauge;
  }

  /** Empty where the reader doesn't tell, or not yet. */
  OptionalLong now() {
    Gauge<Long> shown = shownOrNull;
    Long pending = shown == null ? null : shown.getValue();
    return pending == null || pending < 0 ? OptionalLong.empty() : OptionalLong.of(pending);
  }
}
