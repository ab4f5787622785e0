package dev.millrace.history;

import dev.millrace.example.LabelLags;
import dev.millrace.source.TaskLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * Reads files, waits until all readers have read theirs, and reads on from the source behind. That
 * one's reader is there from the beginning, and has its splits.
 *
 * <p>Where labels are features, those of a file's last records go with its split.
 */
@SuppressWarnings("try") // close() throws what the readers' own does.
final class HistoryReader<T, L extends SourceSplit> implements SourceReader<T, HistorySplit<L>> {

  private final SourceReaderContext context;
  private final SourceReader<T, FileSourceSplit> files;
  private final SourceReader<T, L> live;
  private final CompletableFuture<Void> allRead = new CompletableFuture<>();
  private boolean isRead;

  HistoryReader(
      SourceReaderContext context,
      SourceReader<T, FileSourceSplit> files,
      SourceReader<T, L> live) {
    this.context = context;
    this.files = files;
    this.live = live;
  }

  @Override
  public void start() {
    files.start();
    live.start();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    if (!isRead) {
      InputStatus status = files.pollNext(output);
      if (status != InputStatus.END_OF_INPUT) {
        return status;
      }
      isRead = true;
      context.sendSourceEventToCoordinator(HistoryEvent.FILES_READ);
    }
    return allRead.isDone() ? live.pollNext(output) : InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    if (!isRead) {
      return files.isAvailable();
    }
    return allRead.isDone() ? live.isAvailable() : allRead;
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event == HistoryEvent.NO_MORE_FILES) {
      files.notifyNoMoreSplits();
    } else if (event == HistoryEvent.NO_MORE_SPLITS) {
      live.notifyNoMoreSplits();
    } else if (event == HistoryEvent.ALL_READ) {
      allRead.complete(null);
    } else {
      live.handleSourceEvents(event);
    }
  }

  @Override
  public void addSplits(List<HistorySplit<L>> splits) {
    List<FileSourceSplit> ofFiles = new ArrayList<>();
    List<L> others = new ArrayList<>();
    for (HistorySplit<L> split : splits) {
      if (split.fileOrNull() == null) {
        others.add(split.liveOrNull());
      } else {
        restoreLabels(split);
        ofFiles.add(split.fileOrNull());
      }
    }
    if (!ofFiles.isEmpty()) {
      files.addSplits(ofFiles);
    }
    if (!others.isEmpty()) {
      live.addSplits(others);
    }
  }

  /** Nobody says so: there are events for it. */
  @Override
  public void notifyNoMoreSplits() {
    live.notifyNoMoreSplits();
  }

  @Override
  public List<HistorySplit<L>> snapshotState(long checkpointId) {
    List<HistorySplit<L>> splits = new ArrayList<>();
    files
        .snapshotState(checkpointId)
        .forEach(file -> splits.add(new HistorySplit<>(file, labels(file), null)));
    live.snapshotState(checkpointId).forEach(split -> splits.add(HistorySplit.live(split)));
    return splits;
  }

  private static byte[] labels(FileSourceSplit file) {
    LabelLags lags = TaskLink.ofThisTask().lagsOrNull();
    try {
      return lags == null ? new byte[0] : lags.save(HistoryReading.place(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restoreLabels(HistorySplit<?> split) {
    LabelLags lags = TaskLink.ofThisTask().lagsOrNull();
    try {
      if (lags != null) {
        lags.restore(HistoryReading.place(split.fileOrNull()), split.labels());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
  public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
    throw new UnsupportedOperationException("A job that trains aligns no watermarks");
  }

  @Override
  public void close() throws Exception {
    try (files) {
      live.close();
    }
  }
}
