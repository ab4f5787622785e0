package dev.millrace.cli.timeline;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How times are distributed, of any number of them in bounded memory: 128 bins an octave, so that
 * quantiles are exact to within 1/128, from below. The greatest is exact.
 *
 * <p>Not thread-safe.
 */
final class Distribution {

  private static final int SHIFT = 52 - 7;

  private final TreeMap<Long, Long> counts = new TreeMap<>();
  private long count;
  private double max;

  /**
   * @param median so many milliseconds at most are half of the times; and so on
   */
  record Quantiles(long count, double median, double p90, double p99, double max) {}

  /** {@code millis} is not negative. */
  void add(double millis) {
    counts.merge(Double.doubleToRawLongBits(millis) >> SHIFT, 1L, Long::sum);
    count++;
    max = Math.max(max, millis);
  }

  /** Nothing where there are no times. */
  Optional<Quantiles> quantiles() {
    return count == 0
        ? Optional.empty()
        : Optional.of(new Quantiles(count, quantile(0.5), quantile(0.9), quantile(0.99), max));
  }

  private double quantile(double share) {
    long upTo = 0;
    for (Map.Entry<Long, Long> bin : counts.entrySet()) {
      upTo += bin.getValue();
      if (upTo >= share * count) {
        return Double.longBitsToDouble(bin.getKey() << SHIFT);
      }
    }
    return max;
  }
}
