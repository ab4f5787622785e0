package dev.millrace.job.testing;

import dev.millrace.exchange.flink.FaultInjector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Has a job take its time, for tests that stop it in the middle: its first steps are slow, and all
 * behind them far slower. A test on a busy machine has many seconds then until the job is through.
 *
 * <p>Serves one job at a time.
 */
public final class SlowSteps implements FaultInjector {

  private static final long serialVersionUID = 1;

  private static final Duration SLOW = Duration.ofMillis(2);
  private static final Duration SLOWER = Duration.ofMillis(100);

  /** Injectors are copied, and this isn't. */
  private static final AtomicInteger STEPS = new AtomicInteger();

  private final int first;

  private SlowSteps(int first) {
    this.first = first;
  }

  /** Counts the steps of a job that is about to begin: behind that many it is slower. */
  public static SlowSteps slowerAfter(int first) {
    STEPS.set(0);
    return new SlowSteps(first);
  }

  @Override
  public void reach(Place place, int subtask) {
    boolean slower = place == Place.LOCAL_STEP && STEPS.incrementAndGet() > first;
    LockSupport.parkNanos((slower ? SLOWER : SLOW).toNanos());
  }
}
