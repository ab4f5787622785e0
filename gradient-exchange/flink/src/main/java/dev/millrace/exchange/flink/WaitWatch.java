package dev.millrace.exchange.flink;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what an operator of the exchange waits for, once a minute for as long as it waits
 * for the same. To Flink a wait is no failure, however long it lasts.
 *
 * <p>For the task's thread.
 */
public final class WaitWatch {

  private static final Logger LOG = LoggerFactory.getLogger(WaitWatch.class);

  /** Longer than anything in the exchange takes that is in order. */
  static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ProcessingTimeService timers;
  private final Supplier<Optional<String>> waits;
  private Optional<String> before = Optional.empty();
  private ScheduledFuture<?> timer;

  private WaitWatch(ProcessingTimeService timers, Supplier<Optional<String>> waits) {
    this.timers = timers;
    this.waits = waits;
  }

  /**
   * Watches an operator.
   *
   * @param waits what it waits for, in the same words for as long as that is the same; empty for
   *     nothing
   */
  public static WaitWatch start(ProcessingTimeService timers, Supplier<Optional<String>> waits) {
    WaitWatch watch = new WaitWatch(timers, waits);
    watch.next();
    return watch;
  }

  private void next() {
    timer =
        timers.registerTimer(
            timers.getCurrentProcessingTime() + INTERVAL.toMillis(), time -> look());
  }

  private void look() {
    Optional<String> now = waits.get();
    if (now.isPresent() && now.equals(before)) {
      LOG.warn("{}; it has waited for that for a minute or more", now.get());
    }
    before = now;
    next();
  }

  /** Nothing is waited for from now on. */
  public void stop() {
    timer.cancel(false);
  }
}
