package dev.millrace.example;

import dev.millrace.model.Partition;
import java.util.Objects;

/**
 * A record that can't be learned from.
 *
 * @param timestamp of the record, milliseconds since the epoch
 * @param key as it came, or null
 * @param value as it came; null for a tombstone
 * @param reason what was expected and what came
 */
public record RejectedRecord(
    Partition partition, long offset, long timestamp, byte[] key, byte[] value, String reason)
    implements Received {

  public RejectedRecord {
    Objects.requireNonNull(partition, "partition");
    Objects.requireNonNull(reason, "reason");
  }
}
