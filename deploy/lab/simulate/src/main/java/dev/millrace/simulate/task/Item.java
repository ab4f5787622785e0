package dev.millrace.simulate.task;

/** What goes over an edge. */
sealed interface Item {

  /**
   * A record.
   *
   * @param bytes as Flink's network has them
   */
  @SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
  record Data(byte[] bytes) implements Item {}

  /** A barrier. */
  record Mark(Barrier barrier) implements Item {}

  /** A barrier that won't come. */
  record Cancelled(long checkpoint) implements Item {}

  /** No record comes any more. */
  record EndOfData(boolean drained) implements Item {}

  /** Nothing comes any more. */
  record End() implements Item {}
}
