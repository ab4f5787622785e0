package dev.millrace.job.join;

import java.io.Serializable;
import java.time.Duration;

/**
 * What belongs together in time, and when nothing more can come. All times are event times in
 * milliseconds since the epoch. A watermark of {@code w} says that all events up to {@code w} have
 * come; so a record is waited for until the watermark reaches a time, that time included.
 *
 * @param within how much later than its features a label may be
 * @param before how much earlier than its features a label may be, for clocks that differ
 */
public record JoinBounds(Duration within, Duration before) implements Serializable {

  public JoinBounds {
    if (within.toMillis() < 1) {
      throw new IllegalArgumentException("A label comes within at least 1 ms, not " + within);
    }
    if (before.isNegative()) {
      throw new IllegalArgumentException("A label isn't earlier by less than nothing: " + before);
    }
  }

  /** Whether a label's time is early enough for features of that time. */
  boolean isInTime(long label, long features) {
    return label <= until(features);
  }

  /** Whether a label's time is late enough for features of that time. */
  boolean isAfter(long label, long features) {
    return label >= features - before.toMillis();
  }

  /** Returns when features have waited for their label. */
  long until(long features) {
    return plus(features, within.toMillis());
  }

  /**
   * Returns when a label has waited for its features: those that it may belong to would come too
   * late.
   */
  long labelUntil(long label) {
    return plus(plus(label, before.toMillis()), within.toMillis());
  }

  /**
   * Returns when features that have their label, or go without, are forgotten: the same records,
   * once more, come too late by themselves then.
   */
  long known(long features) {
    return labelUntil(until(features));
  }

  private static long plus(long time, long more) {
    return time > Long.MAX_VALUE - more ? Long.MAX_VALUE : time + more;
  }
}
