package dev.millrace.exchange.process;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells how much a replica learns and what its process uses, from time to time.
 *
 * <p>Not thread-safe: for the task's thread.
 */
public final class ReplicaWatch implements ReplicaHook {

  private final int replica;
  private final long interval;
  private final Consumer<ReplicaReport> reports;
  private final LongSupplier nanos;
  private long due;
  private long round;
  private long examples;

  /** {@code interval} is from one report to the next. */
  public ReplicaWatch(
      int replica, Duration interval, Consumer<ReplicaReport> reports, LongSupplier nanos) {
    this.replica = replica;
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
    examples += minibatch.fresh();
    long now = nanos.getAsLong();
    if (now - due >= 0) {
      due = now + interval;
      reports.accept(report());
    }
  }

  private ReplicaReport report() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new ReplicaReport(
        System.currentTimeMillis(),
        round,
        replica,
        examples,
        ManagementFactory.getRuntimeMXBean().getName(),
        cpu(),
        heap.getUsed(),
        heap.getMax());
  }

  private static double cpu() {
    double load =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuLoad()
            : -1;
    return load < 0 ? Double.NaN : load;
  }
}
