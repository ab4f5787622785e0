package dev.millrace.exchange.replay;

import java.io.Serializable;
import java.time.Duration;

/**
 * Says after which age an example counts half in the loss.
 *
 * @param length examples of the whole job, or milliseconds; infinite where age has no effect
 * @param byTime whether it is a time, by the records' timestamps
 */
public record HalfLife(double length, boolean byTime) implements Serializable {

  /** Age has no effect. */
  public static final HalfLife NONE = new HalfLife(Double.POSITIVE_INFINITY, false);

  public HalfLife {
    if (!(length > 0)) {
      throw new IllegalArgumentException("A half-life of " + length);
    }
  }

  /** Halves an example's weight after as many examples of the whole job. */
  public static HalfLife ofExamples(long examples) {
    return new HalfLife(examples, false);
  }

  /** Halves an example's weight after as much time from record to record. */
  public static HalfLife of(Duration time) {
    return new HalfLife(time.toMillis(), true);
  }

  /** Returns what an example of that age counts, at most 1. */
  double weight(double age) {
    return Math.pow(0.5, age / length);
  }
}
