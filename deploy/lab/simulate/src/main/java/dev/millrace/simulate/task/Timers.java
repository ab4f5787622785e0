package dev.millrace.simulate.task;

import dev.millrace.simulate.time.Timeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.clock.Clock;

/** Processing time of a task: a timer is a mail at its time. */
final class Timers implements ProcessingTimeService {

  private static final long MICROS = 1_000;

  private final Timeline timeline;
  private final LongSupplier micros;
  private final Mailbox mailbox;
  private boolean quiesced;

  /**
   * @param micros the task's own time
   */
  Timers(Timeline timeline, LongSupplier micros, Mailbox mailbox) {
    this.timeline = timeline;
    this.micros = micros;
    this.mailbox = mailbox;
  }

  @Override
  public long getCurrentProcessingTime() {
    return micros.getAsLong() / MICROS;
  }

  @Override
  public Clock getClock() {
    return new Clock() {
      @Override
      public long absoluteTimeMillis() {
        return getCurrentProcessingTime();
      }

      @Override
      public long relativeTimeMillis() {
        return getCurrentProcessingTime();
      }

      @Override
      public long relativeTimeNanos() {
        return micros.getAsLong() * 1_000;
      }
    };
  }

  @Override
  public ScheduledFuture<?> registerTimer(long millis, ProcessingTimeCallback target) {
    Timer timer = new Timer();
    if (!quiesced) {
      // As Flink does: a timer of a time fires when that is over.
      timer.event =
          timeline.at(
              Math.max((millis + 1) * MICROS, micros.getAsLong()),
              () -> fire(timer, millis, target));
    }
    return timer;
  }

  private void fire(Timer timer, long millis, ProcessingTimeCallback target) {
    if (!quiesced && !mailbox.isClosed()) {
      // From here on nobody can cancel it, as in Flink: its mail comes.
      timer.done = true;
      mailbox.execute(() -> target.onProcessingTime(millis), "a timer");
    }
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      ProcessingTimeCallback callback, long initialDelay, long period) {
    throw new UnsupportedOperationException("No simulated operator has such a timer");
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      ProcessingTimeCallback callback, long initialDelay, long period) {
    throw new UnsupportedOperationException("No simulated operator has such a timer");
  }

  @Override
  public CompletableFuture<Void> quiesce() {
    quiesced = true;
    return CompletableFuture.completedFuture(null);
  }

  private static final class Timer implements ScheduledFuture<Void> {

    private Timeline.Event event;
    private boolean cancelled;
    private boolean done;

    @Override
    public boolean cancel(boolean interrupts) {
      if (done || cancelled) {
        return false;
      }
      cancelled = true;
      if (event != null) {
        event.cancel();
      }
      return true;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public boolean isDone() {
      return done || cancelled;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }

    @Override
    public Void get() {
      throw new UnsupportedOperationException("Nobody waits for a timer");
    }

    @Override
    public Void get(long timeout, TimeUnit unit) {
      return get();
    }
  }
}
