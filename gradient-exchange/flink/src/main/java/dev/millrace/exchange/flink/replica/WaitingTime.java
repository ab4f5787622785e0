package dev.millrace.exchange.flink.replica;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long something has waited since it was made, which it does from the beginning. What lasts is
 * counted too, so that a wait without end shows.
 *
 * <p>One thread says when it waits; any may ask.
 */
final class WaitingTime {

  private final LongSupplier nanoTime;

  /** Read without the lock by the thread that alone writes it. */
  private boolean waiting = true;

  private long since;
  private long before;

  /** {@code nanoTime} as {@link System#nanoTime}. */
  WaitingTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
  }

  /** Costs nothing where nothing changes: it is called for every example. */
  void set(boolean waits) {
    if (waits != waiting) {
      change(waits);
    }
  }

  private synchronized void change(boolean waits) {
    long now = nanoTime.getAsLong();
    if (waiting) {
      before += now - since;
    }
    waiting = waits;
    since = now;
  }

  synchronized long millis() {
    long lasting = waiting ? nanoTime.getAsLong() - since : 0;
    return TimeUnit.NANOSECONDS.toMillis(before + lasting);
  }
}
