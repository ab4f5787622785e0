package dev.millrace.example;

import dev.millrace.model.Partition;
import java.util.Objects;

/**
 * A record that can't be learned from.
 *
 * @param timestamp of the record, milliseconds since the epoch; -1 where it isn't known
 * @param key as it came, or null
 * @param value as it came; null for a tombstone
 * @param reason what was expected and what came
 */
public record RejectedRecord(
    Partition partition, long offset, long timestamp, byte[] key, byte[] value, String reason)
    implements Received {

  /** The time of a record without one, as Kafka has it. */
  private static final long NO_TIMESTAMP = -1;

  /** One that was read as an example, and turned out to be unusable when its bytes were gone. */
  public static RejectedRecord withoutBytes(Partition partition, long offset, String reason) {
    return new RejectedRecord(partition, offset, NO_TIMESTAMP, null, new byte[0], reason);
  }

  public RejectedRecord {
    Objects.requireNonNull(partition, "partition");
    Objects.requireNonNull(reason, "reason");
  }
}
