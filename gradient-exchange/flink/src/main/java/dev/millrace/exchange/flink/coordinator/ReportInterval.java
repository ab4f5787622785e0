package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.round.RoundReport;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.ProcessingTimeService;

/**
 * Hands on some of the reports: one per interval at most, and the newest within the interval,
 * though no other may follow it for long.
 *
 * <p>Not thread-safe: for the thread that the timers run on.
 */
final class ReportInterval {

  private final Duration interval;
  private final ProcessingTimeService time;
  private final Consumer<RoundReport> out;
  private RoundReport newest;
  private boolean isAwaited;
  private long next;

  ReportInterval(Duration interval, ProcessingTimeService time, Consumer<RoundReport> out) {
    this.interval = interval;
    this.time = time;
    this.out = out;
  }

  /** A round was made, or a contribution refused, and this is how far training has come. */
  void add(RoundReport report) {
    newest = report;
    if (isAwaited) {
      return;
    }
    if (time.getCurrentProcessingTime() >= next) {
      handOn();
    } else {
      isAwaited = true;
      ScheduledFuture<?> unused = time.registerTimer(next, this::endWait);
    }
  }

  /** Hands on what waits, however short the interval has been. */
  void flush() {
    if (isAwaited) {
      handOn();
    }
  }

  /** Nothing waits for a timer from before a {@link #flush}. */
  private void endWait(long timer) {
    if (isAwaited && timer >= next) {
      handOn();
    }
  }

  private void handOn() {
    isAwaited = false;
    next = time.getCurrentProcessingTime() + interval.toMillis();
    out.accept(newest);
  }
}
