package dev.millrace.registry;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Ids whose schemas can't be used, each for a time that doubles whenever it is found out again.
 *
 * <p>Thread-safe.
 */
final class UnusableSchemas {

  static final Duration SHORTEST = Duration.ofSeconds(30);
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** More than all records that a reader has fetched ahead, so that none is forgotten meanwhile. */
  private static final int MOST = 50_000;

  private record Found(String reason, long time, long until) {}

  private final LongSupplier clock;

  // Guarded by this.
  private final Map<Integer, Found> all =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Found> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param clock as {@link System#nanoTime}
   */
  UnusableSchemas(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void add(int id, String reason) {
    Found before = all.remove(id);
    long time =
        before == null
            ? SHORTEST.toNanos()
            : Math.min(LONGEST.toNanos(), Math.multiplyExact(2, before.time()));
    all.put(id, new Found(reason, time, clock.getAsLong() + time));
  }

  synchronized void remove(int id) {
    all.remove(id);
  }

  /** Whether it was found out a short time ago, and needn't be once more. */
  synchronized boolean isKnown(int id) {
    Found found = all.get(id);
    return found != null && found.until() - clock.getAsLong() > 0;
  }

  /** Null where nothing was found out. */
  synchronized String reason(int id) {
    Found found = all.get(id);
    return found == null ? null : found.reason();
  }
}
