package dev.millrace.example;

import dev.millrace.model.Partition;

/** What a source emits for each record: an example, or a record that is none. */
public sealed interface Received permits Example, RejectedRecord, SkippedRecord {

  /** The partition that the record came from. */
  Partition partition();

  /** The record's offset in its partition. */
  long offset();
}
