package dev.millrace.example;

import dev.millrace.model.Partition;
import java.util.Objects;

/** A record that is no example and no mistake, such as the delete of a row: it is counted alone. */
public record SkippedRecord(Partition partition, long offset) implements Received {

  public SkippedRecord {
    Objects.requireNonNull(partition, "partition");
  }
}
