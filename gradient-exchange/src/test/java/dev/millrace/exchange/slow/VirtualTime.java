package dev.millrace.exchange.slow;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * A clock that runs as fast as what happens by it can be computed: one event after the other, those
 * of one time in the order in which they were asked for. Times are in nanoseconds since the start.
 */
final class VirtualTime {

  private record Event(long at, long number, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));

  private long now;
  private long asked;

  long now() {
    return now;
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(now);
  }

  /** Has something happen at a time, which may be now, after what happens now already. */
  void at(long time, Runnable what) {
    if (time < now) {
      throw new IllegalArgumentException("It is %s ns, too late for %s ns".formatted(now, time));
    }
    events.add(new Event(time, asked++, what));
  }

  /** Until nothing is left to happen. */
  void run() {
    for (Event next = events.poll(); next != null; next = events.poll()) {
      now = next.at();
      next.what().run();
    }
  }
}
