package dev.millrace.exchange.flink.coordinator;

import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;

/**
 * One timer at a time, for the earliest of the times asked for since it last fired. What it calls
 * looks whether its time has come, and asks again where it came too early.
 *
 * <p>Not thread-safe: for the thread that the timers run on.
 */
final class EarliestTimer {

  private final ProcessingTimeService time;
  private final ProcessingTimeCallback callback;
  private ScheduledFuture<?> timer;
  private long setFor;

  EarliestTimer(ProcessingTimeService time, ProcessingTimeCallback callback) {
    this.time = time;
    this.callback = callback;
  }

  /** Has it fire at that time, or earlier if that was asked for before. */
  void set(long at) {
    if (timer != null && at < setFor) {
      timer.cancel(false);
      timer = null;
    }
    if (timer == null) {
      setFor = at;
      timer = time.registerTimer(at, this::fire);
    }
  }

  private void fire(long now) throws Exception {
    timer = null;
    callback.onProcessingTime(now);
  }
}
