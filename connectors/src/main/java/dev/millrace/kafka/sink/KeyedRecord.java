package dev.millrace.kafka.sink;

/**
 * A record to be written as it is.
 *
 * @param key null for none
 * @param timestamp milliseconds since the epoch; {@link #WHEN_WRITTEN} for the time of writing
 */
public record KeyedRecord(byte[] key, byte[] value, long timestamp) {

  /** A record that gets the time at which it is written. */
  public static final long WHEN_WRITTEN = -1;

  /** One that gets the time of writing. */
  public KeyedRecord(byte[] key, byte[] value) {
    this(key, value, WHEN_WRITTEN);
  }
}
