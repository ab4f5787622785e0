package dev.millrace.history;

import org.apache.flink.api.connector.source.SourceEvent;

/** What readers and their enumerator tell each other besides splits. */
enum HistoryEvent implements SourceEvent {
  /** To a reader: it gets no more files. */
  NO_MORE_FILES,
  /** To a reader: it gets no more splits of the source behind. */
  NO_MORE_SPLITS,
  /** From a reader: it has read its files. */
  FILES_READ,
  /** To a reader: all files were read, and topics are next. */
  ALL_READ
}
