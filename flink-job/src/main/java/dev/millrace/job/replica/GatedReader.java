package dev.millrace.job.replica;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** Reads for a {@link GatedSource}. */
@SuppressWarnings(
    "try") // close() throws what the reader's own does, InterruptedException included.
final class GatedReader<T, S extends SourceSplit> implements SourceReader<T, S> {

  private final SourceReader<T, S> reader;
  private Gate gate;

  GatedReader(SourceReader<T, S> reader) {
    this.reader = reader;
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    if (!gate().isOpen()) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    return gate().hasEnded() ? InputStatus.END_OF_INPUT : reader.pollNext(output);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    if (!gate().isOpen()) {
      return gate().opened();
    }
    CompletableFuture<Void> available = reader.isAvailable();
    // A reader that waits for records has to notice that none are wanted any more.
    return available.isDone()
        ? available
        : CompletableFuture.anyOf(available, gate().ended()).thenApply(any -> null);
  }

  private Gate gate() {
    if (gate == null) {
      gate = Gate.ofThisTask();
    }
    return gate;
  }

  @Override
  public List<S> snapshotState(long checkpointId) {
    return reader.snapshotState(checkpointId);
  }

  @Override
  public void addSplits(List<S> splits) {
    reader.addSplits(splits);
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    reader.handleSourceEvents(event);
  }

  @Override
  public void pauseOrResumeSplits(
      Collection<String> splitsToPause, Collection<String> splitsToResume) {
    reader.pauseOrResumeSplits(splitsToPause, splitsToResume);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }
}
