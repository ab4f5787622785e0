package dev.millrace.source;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A reader over another one, whose records and splits are of other types. A subclass says how they
 * become those that it gives out.
 *
 * @param <I> the other reader's records
 * @param <W> its splits
 */
@SuppressWarnings(
    "try") // close() throws what the reader's own does, InterruptedException included.
abstract class ConvertingReader<I, W extends SourceSplit, T, S extends SourceSplit>
    implements SourceReader<T, S> {

  final SourceReader<I, W> reader;

  ConvertingReader(SourceReader<I, W> reader) {
    this.reader = reader;
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return reader.isAvailable();
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
