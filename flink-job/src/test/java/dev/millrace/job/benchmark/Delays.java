package dev.millrace.job.benchmark;

import dev.millrace.exchange.flink.FaultInjector;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes one place of the job slow, without using the processor, and counts how often each replica
 * comes to its local step. Only within one process: counts are static.
 *
 * @param name of the run, which its counts are kept under
 * @param place where to be slow; null for nowhere
 * @param subtask which subtask; negative for all
 * @param delay each time
 * @param once the one pass of it to be slow at; 0 for each
 */
record Delays(String name, Place place, int subtask, Duration delay, long once)
    implements FaultInjector {

  private static final ConcurrentMap<String, AtomicLong> PASSES = new ConcurrentHashMap<>();
  private static final ConcurrentMap<String, AtomicLong> FIRST = new ConcurrentHashMap<>();
  private static final ConcurrentMap<String, AtomicLong> LAST = new ConcurrentHashMap<>();

  static Delays none(String name) {
    return new Delays(name, null, 0, Duration.ZERO, 0);
  }

  @Override
  public void reach(Place reached, int atSubtask) {
    if (reached == Place.LOCAL_STEP) {
      counter(PASSES, atSubtask).incrementAndGet();
      counter(FIRST, atSubtask).compareAndSet(0, System.nanoTime());
      counter(LAST, atSubtask).set(System.nanoTime());
    }
    if (reached == place && (subtask < 0 || atSubtask == subtask)) {
      if (once == 0 || counter(PASSES, atSubtask).get() == once) {
        long until = System.nanoTime() + delay.toNanos();
        while (System.nanoTime() < until) {
          LockSupport.parkNanos(until - System.nanoTime());
        }
      }
    }
  }

  /** Local steps a second that a replica made, from its first to its last. */
  double rate(int replica) {
    long nanos = counter(LAST, replica).get() - counter(FIRST, replica).get();
    return (counter(PASSES, replica).get() - 1) * 1e9 / nanos;
  }

  private AtomicLong counter(ConcurrentMap<String, AtomicLong> counters, int atSubtask) {
    return counters.computeIfAbsent(name + "/" + atSubtask, any -> new AtomicLong());
  }
}
