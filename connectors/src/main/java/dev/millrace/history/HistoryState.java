package dev.millrace.history;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;

/**
 * Holds what an enumerator saves.
 *
 * @param files that no reader has
 * @param live of the enumerator of the source behind
 * @param isRead whether all files were read
 */
record HistoryState<E>(PendingSplitsCheckpoint<FileSourceSplit> files, E live, boolean isRead) {}
