package dev.millrace.source;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/** An enumerator whose splits readers get as {@link CountedSplit}s. */
final class CountedEnumerator<S extends SourceSplit, E>
    implements SplitEnumerator<CountedSplit<S>, E> {

  private final SplitEnumerator<S, E> enumerator;

  CountedEnumerator(SplitEnumerator<S, E> enumerator) {
    this.enumerator = enumerator;
  }

  @Override
  public void start() {
    enumerator.start();
  }

  @Override
  public void handleSplitRequest(int subtask, String hostname) {
    enumerator.handleSplitRequest(subtask, hostname);
  }

  /** These were given to a reader after the checkpoint: nothing of them has been counted. */
  @Override
  public void addSplitsBack(List<CountedSplit<S>> splits, int subtask) {
    enumerator.addSplitsBack(splits.stream().map(CountedSplit::split).toList(), subtask);
  }

  @Override
  public void addReader(int subtask) {
    enumerator.addReader(subtask);
  }

  @Override
  public E snapshotState(long checkpointId) throws Exception {
    return enumerator.snapshotState(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    enumerator.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    enumerator.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    enumerator.handleSourceEvent(subtask, event);
  }

  @Override
  public void close() throws IOException {
    enumerator.close();
  }
}
