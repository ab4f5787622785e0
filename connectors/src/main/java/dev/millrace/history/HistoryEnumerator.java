package dev.millrace.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;

/**
 * Hands out files and the splits of the source behind, and tells readers to begin with the latter
 * once all of them have read their files. Both enumerators are there as long as it is, so whoever
 * comes back from an older checkpoint finds its own.
 */
final class HistoryEnumerator<L extends SourceSplit, E>
    implements SplitEnumerator<HistorySplit<L>, HistoryState<E>> {

  private final SplitEnumeratorContext<HistorySplit<L>> context;
  private final SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> files;
  private final SplitEnumerator<L, E> live;

  /** Whether all files had been read in what was restored: nobody has to wait for the others. */
  private final boolean wasRead;

  /** Readers that have read their files. One that has ended for good stays. */
  private final Set<Integer> done = new HashSet<>();

  /** Readers of them that haven't been told to go on. */
  private final Set<Integer> waiting = new HashSet<>();

  HistoryEnumerator(
      SplitEnumeratorContext<HistorySplit<L>> context,
      SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> files,
      SplitEnumerator<L, E> live,
      boolean wasRead) {
    this.context = context;
    this.files = files;
    this.live = live;
    this.wasRead = wasRead;
  }

  @Override
  public void start() {
    files.start();
    live.start();
  }

  /** Only readers of files ask. */
  @Override
  public void handleSplitRequest(int subtask, String host) {
    files.handleSplitRequest(subtask, host);
  }

  @Override
  public void addSplitsBack(List<HistorySplit<L>> splits, int subtask) {
    List<FileSourceSplit> ofFiles =
        splits.stream().map(HistorySplit::fileOrNull).filter(Objects::nonNull).toList();
    List<L> others =
        splits.stream().map(HistorySplit::liveOrNull).filter(Objects::nonNull).toList();
    if (!ofFiles.isEmpty()) {
      files.addSplitsBack(new ArrayList<>(ofFiles), subtask);
    }
    if (!others.isEmpty()) {
      live.addSplitsBack(new ArrayList<>(others), subtask);
    }
  }

  @Override
  public void addReader(int subtask) {
    done.remove(subtask);
    waiting.remove(subtask);
    files.addReader(subtask);
    live.addReader(subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event != HistoryEvent.FILES_READ) {
      live.handleSourceEvent(subtask, event);
      return;
    }
    done.add(subtask);
    waiting.add(subtask);
    if (isRead()) {
      waiting.forEach(reader -> context.sendEventToSourceReader(reader, HistoryEvent.ALL_READ));
      waiting.clear();
    }
  }

  private boolean isRead() {
    return wasRead || done.size() >= context.currentParallelism();
  }

  @Override
  public HistoryState<E> snapshotState(long checkpointId) throws Exception {
    return new HistoryState<>(
        files.snapshotState(checkpointId), live.snapshotState(checkpointId), isRead());
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    live.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    live.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws IOException {
    try (files) {
      live.close();
    }
  }
}
