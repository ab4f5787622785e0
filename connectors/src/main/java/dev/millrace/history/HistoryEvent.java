package dev.millrace.history;

import org.apache.flink.api.connector.source.SourceEvent;

/** Goes between readers and their enumerator, besides splits. */
enum HistoryEvent implements SourceEvent {
  /** Tells a reader that it gets no more files. */
  NO_MORE_FILES,
  /** Tells a reader that it gets no more splits of the source behind. */
  NO_MORE_SPLITS,
  /** Tells the enumerator that a reader has read its files. */
  FILES_READ,
  /** Tells a reader that all files were read, and topics are next. */
  ALL_READ
}
