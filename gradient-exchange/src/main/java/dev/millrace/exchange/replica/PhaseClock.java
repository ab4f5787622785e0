package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.Phases;
import java.util.function.LongSupplier;

/**
 * Measures where a replica's time goes between two contributions.
 *
 * <p>Not thread-safe.
 */
final class PhaseClock {

  private final LongSupplier nanoTime;
  private long since;
  private long fit;
  private long encode;
  private long apply;
  private long latency;
  private long sentAt;
  private boolean awaited;
  private long oldestRecord = Phases.NO_TIME;

  /** {@code nanoTime} as {@link System#nanoTime}. */
  PhaseClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.since = now();
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /**
   * A local step has been made.
   *
   * @param oldest time of the oldest record that it learned, or {@link Phases#NO_TIME}
   */
  void fitted(long start, long oldest) {
    fit += now() - start;
    oldestRecord = Math.min(oldestRecord, oldest);
  }

  void applied(long start) {
    apply += now() - start;
  }

  void encoded(long start) {
    encode = now() - start;
  }

  /** The contribution is on its way. */
  void sent() {
    sentAt = now();
    awaited = true;
  }

  /** The round of what was sent is known; without effect if it was before. */
  void released() {
    if (awaited) {
      awaited = false;
      latency = now() - sentAt;
    }
  }

  /** Nanoseconds since the last contribution, or since the beginning. */
  long elapsed() {
    return now() - since;
  }

  /** Returns the time from the last contribution to its round, once that is known. */
  long latency() {
    return latency;
  }

  /** Ends a period, and begins the next one. */
  Phases take(int steps) {
    long now = now();
    Phases phases = new Phases(steps, fit, encode, apply, latency, now - since, oldestRecord);
    since = now;
    fit = 0;
    encode = 0;
    apply = 0;
    latency = 0;
    oldestRecord = Phases.NO_TIME;
    return phases;
  }
}
