package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.confusion.RecentConfusion;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells which classes the first replica took for which, from time to time.
 *
 * <p>Not thread-safe: for the task's thread.
 */
final class ConfusionWatch implements ReplicaHook {

  private final RecentConfusion confusion;
  private final long interval;
  private final Consumer<ConfusionReport> reports;
  private final LongSupplier nanos;
  private long due;
  private long round;

  /** {@code interval} is from one report to the next. */
  ConfusionWatch(
      RecentConfusion confusion,
      Duration interval,
      Consumer<ConfusionReport> reports,
      LongSupplier nanos) {
    this.confusion = confusion;
    this.interval = interval.toNanos();
    this.reports = reports;
    this.nanos = nanos;
    this.due = nanos.getAsLong() + this.interval;
  }

  @Override
  public void accept(RoundHead head) {
    round = head.round();
  }

  @Override
  public void afterStep(Minibatch minibatch, float[] predictions) {
    confusion.add(minibatch, predictions);
    long now = nanos.getAsLong();
    if (now - due >= 0) {
      due = now + interval;
      reports.accept(confusion.report(System.currentTimeMillis(), round));
    }
  }
}
