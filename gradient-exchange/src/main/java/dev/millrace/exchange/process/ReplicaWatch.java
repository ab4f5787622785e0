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
  private long lastNanos;
  private long lastCpuNanos = cpuNanos();
  private long round;
  private long examples;

  /** {@code interval} is from one report to the next. */
  public ReplicaWatch(
      int replica, Duration interval, Consumer<ReplicaReport> reports, LongSupplier nanos) {
    this.replica = replica;
    this.interval = interval.toNanos();
    this.reports = reports;
    this.nanos = nanos;
    this.lastNanos = nanos.getAsLong();
    this.due = lastNanos + this.interval;
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
      reports.accept(report(now));
    }
  }

  private ReplicaReport report(long now) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new ReplicaReport(
        System.currentTimeMillis(),
        round,
        replica,
        examples,
        ManagementFactory.getRuntimeMXBean().getName(),
        cpu(now),
        heap.getUsed(),
        heap.getMax());
  }

  /** The JVM's own figure is of the time since anybody asked: another replica may just have. */
  private double cpu(long now) {
    long used = cpuNanos();
    double share =
        (double) (used - lastCpuNanos)
            / Runtime.getRuntime().availableProcessors()
            / (double) (now - lastNanos);
    boolean isKnown = used >= 0 && lastCpuNanos >= 0;
    lastCpuNanos = used;
    lastNanos = now;
    return isKnown ? share : Double.NaN;
  }

  /** Negative where it isn't known. */
  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : -1;
  }
}
