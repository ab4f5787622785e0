package dev.millrace.exchange.rows;

import java.io.Serializable;
import java.time.Duration;

/**
 * Says how long a row lives without a use. An expired row reads as if it had never been. The clock
 * is what a shard has been told of, by pushes: records' timestamps, as a {@link
 * dev.millrace.exchange.minibatch.RecordClock} believes them, or a count of examples.
 *
 * @param length milliseconds or examples since the last use; a row expires when there are more
 * @param byTime whether it is a time, by the records' timestamps
 */
public record Expiry(long length, boolean byTime) implements Serializable {

  /** Rows live forever. */
  public static final Expiry NEVER = new Expiry(Long.MAX_VALUE, true);

  private static final int PARTS = 8;

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

  /** A part of it that makes no difference to a row: an eighth. */
  long part() {
    return Math.max(1, length / PARTS);
  }

  /** Whether rows expire at all. */
  public boolean expires() {
    return length < Long.MAX_VALUE;
  }
}
