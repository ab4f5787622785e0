package dev.millrace.registry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how often something is done: some times at once, then once in a while.
 *
 * <p>Used by one thread at a time.
 */
final class Pace {

  private final long between;
  private final long ahead;
  private long next = System.nanoTime();

  /**
   * @param atOnce how often after a while of nothing
   * @param between two times after that
   */
  Pace(int atOnce, Duration between) {
    this.between = between.toNanos();
    this.ahead = atOnce * this.between;
  }

  /** Waits until it may be done once more. */
  void await() throws InterruptedException {
    long now = System.nanoTime();
    next = Math.max(next, now - ahead) + between;
    if (next - now > 0) {
      TimeUnit.NANOSECONDS.sleep(next - now);
    }
  }
}
