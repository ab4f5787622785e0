package dev.millrace.benchmark.peer;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Lets a training run for the time of a warm-up, then for the time that it measures. */
final class Stopwatch implements Rounds {

  private final long warmUp;
  private final long time;
  private final LongSupplier nanos;

  private boolean begun;
  private boolean measuring;
  private long since;
  private long learnedBefore;
  private Learned learned;

  Stopwatch(Duration warmUp, Duration time) {
    this(warmUp, time, System::nanoTime);
  }

  /**
   * @param nanos the clock, as {@link System#nanoTime} is one
   */
  Stopwatch(Duration warmUp, Duration time, LongSupplier nanos) {
    this.warmUp = warmUp.toNanos();
    this.time = time.toNanos();
    this.nanos = nanos;
  }

  @Override
  public boolean goOn(long learnedSoFar) {
    long now = nanos.getAsLong();
    if (!begun) {
      begun = true;
      since = now;
    }
    if (!measuring) {
      if (now - since >= warmUp) {
        measuring = true;
        since = now;
        learnedBefore = learnedSoFar;
      }
      return true;
    }
    if (now - since < time) {
      return true;
    }
    learned = new Learned(learnedSoFar - learnedBefore, Duration.ofNanos(now - since));
    return false;
  }

  /**
   * Returns what was learned in the measured time.
   *
   * @throws IllegalStateException if the training ended before its time was up
   */
  Learned learned() {
    if (learned == null) {
      throw new IllegalStateException("The training ended before its time was up");
    }
    return learned;
  }
}
