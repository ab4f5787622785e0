package dev.millrace.job.score;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.operators.ProcessingTimeService;

/**
 * Has a batch predicted for that isn't full when its first example has waited long enough.
 *
 * <p>One timer is set at a time, and a batch that is full sooner doesn't take it back: timers cost
 * more than batches. What waits when it fires may have come later, and is given the rest of its
 * time.
 *
 * <p>Belongs to the task's thread, which also fires the timer.
 */
final class BatchTimer {

  /** Nanoseconds as {@link System#nanoTime} has them; goes with an operator to its task. */
  interface Clock extends LongSupplier, Serializable {}

  private final ProcessingTimeService timers;
  private final Clock clock;
  private final Scorer scorer;
  private final Runnable predict;
  private boolean isSet;

  /**
   * @param scorer whose batch it watches
   * @param predict empties the batch
   */
  BatchTimer(ProcessingTimeService timers, Clock clock, Scorer scorer, Runnable predict) {
    this.timers = timers;
    this.clock = clock;
    this.scorer = scorer;
    this.predict = predict;
  }

  /** The batch has an example that waits for others. */
  void ensureSet() {
    if (!isSet) {
      set(scorer.patience(clock.getAsLong()));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // It is never taken back.
  private void set(long patience) {
    isSet = true;
    // Flink fires a timer in the millisecond after its time.
    long wait = TimeUnit.NANOSECONDS.toMillis(patience);
    timers.registerTimer(timers.getCurrentProcessingTime() + wait, time -> fire());
  }

  private void fire() {
    isSet = false;
    if (scorer.isEmpty()) {
      return;
    }
    long patience = scorer.patience(clock.getAsLong());
    if (patience <= 0) {
      predict.run();
    } else {
      set(patience);
    }
  }
}
