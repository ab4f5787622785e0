package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.confusion.RecentConfusion;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Minibatch;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells which classes the first replica took for which, from time to time. Where there is nothing
 * to tell it does nothing.
 *
 * <p>Not thread-safe: for the task's thread.
 */
final class ConfusionWatch {

  private final RecentConfusion confusionOrNull;
  private final long interval;
  private final Consumer<ConfusionReport> reports;
  private final LongSupplier nanos;
  private long due;

  /**
   * @param interval from one report to the next; 0 for none
   * @param index number of the replica
   */
  ConfusionWatch(
      Duration interval,
      int index,
      ExampleShape shape,
      Consumer<ConfusionReport> reports,
      LongSupplier nanos) {
    this.confusionOrNull =
        interval.isZero() || index != 0 ? null : RecentConfusion.of(shape).orElse(null);
    this.interval = interval.toNanos();
    this.reports = reports;
    this.nanos = nanos;
    this.due = nanos.getAsLong() + this.interval;
  }

  /**
   * A minibatch has been learned.
   *
   * @param predictions of its fresh examples, before
   * @param round of the global model that the replica has
   */
  void learned(Minibatch minibatch, float[] predictions, long round) {
    if (confusionOrNull == null) {
      return;
    }
    confusionOrNull.add(minibatch, predictions);
    long now = nanos.getAsLong();
    if (now - due >= 0) {
      due = now + interval;
      reports.accept(confusionOrNull.report(System.currentTimeMillis(), round));
    }
  }
}
