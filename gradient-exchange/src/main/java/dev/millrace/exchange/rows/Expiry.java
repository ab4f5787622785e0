package dev.millrace.exchange.rows;

import java.io.Serializable;
import java.time.Duration;

/**
 * Says how long a row lives without a use. An expired row reads as if it had never been. The clock
 * is what a shard has been told of, by pushes: records' timestamps, or a count of examples; never
 * the time of day, so a replay has the same outcome.
 *
 * @param length milliseconds or examples since the last use; a row expires when there are more
 * @param byTime whether it is a time, by the records' timestamps
 */
public record Expiry(long length, boolean byTime) implements Serializable {

  /** Rows live forever. */
  public static final Expiry NEVER = new Expiry(Long.MAX_VALUE, true);

  public Expiry {
    if (length < 1) {
      throw new IllegalArgumentException(
          "Rows expire after %s %s; it must be at least 1"
              .formatted(length, byTime ? "milliseconds" : "examples"));
    }
  }

  /** Rows expire after so much time of the records. */
  public static Expiry afterTime(Duration length) {
    return new Expiry(length.toMillis(), true);
  }

  /** Rows expire after as many examples of the whole job. */
  public static Expiry afterExamples(long examples) {
    return new Expiry(examples, false);
  }

  /** Whether rows expire at all. */
  public boolean expires() {
    return length < Long.MAX_VALUE;
  }
}
