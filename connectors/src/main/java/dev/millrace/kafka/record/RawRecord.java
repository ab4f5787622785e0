package dev.millrace.kafka.record;

import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import java.util.Objects;

/**
 * A record as it came from Kafka. Its arrays are not to be changed.
 *
 * @param timestamp milliseconds since the epoch, or {@link #NO_TIMESTAMP}
 * @param key null where the record has none
 * @param value null for a tombstone
 */
public record RawRecord(
    Partition partition, long offset, long timestamp, byte[] key, byte[] value) {

  /** The time of a record without a timestamp, as Kafka has it. */
  public static final long NO_TIMESTAMP = -1;

  public RawRecord {
    Objects.requireNonNull(partition, "partition");
  }

  /** Returns the same record, with what is wrong with it. */
  public RejectedRecord rejected(String reason) {
    return new RejectedRecord(partition, offset, timestamp, key, value, reason);
  }
}
