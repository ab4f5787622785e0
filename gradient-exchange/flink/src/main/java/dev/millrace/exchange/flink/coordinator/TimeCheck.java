package dev.millrace.exchange.flink.coordinator;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongPredicate;
import org.apache.flink.api.common.operators.ProcessingTimeService;

/**
 * Looks again and again whether a time limit is over, which it can be while nothing else happens:
 * every tenth of the limit, and every ten seconds at least.
 *
 * <p>Not thread-safe: for the thread that the timers run on.
 */
final class TimeCheck {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final long pause;
  private final ProcessingTimeService time;
  private final LongPredicate isOver;
  private ScheduledFuture<?> timer;

  /**
   * Starts looking, unless there is no limit.
   *
   * @param limit zero for none
   * @param isOver is told the time, and says whether that was the last look
   */
  TimeCheck(Duration limit, ProcessingTimeService time, LongPredicate isOver) {
    this.pause = Math.max(1, Math.min(limit.toMillis() / 10, LONGEST_PAUSE.toMillis()));
    this.time = time;
    this.isOver = isOver;
    if (!limit.isZero()) {
      lookLater();
    }
  }

  private void lookLater() {
    timer = time.registerTimer(time.getCurrentProcessingTime() + pause, this::look);
  }

  private void look(long now) {
    if (!isOver.test(now)) {
      lookLater();
    }
  }

  /** There is nothing left to look at. */
  void end() {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
