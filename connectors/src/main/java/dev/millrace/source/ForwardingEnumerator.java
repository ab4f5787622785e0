package dev.millrace.source;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/**
 * An enumerator that is another in all that a subclass doesn't change.
 *
 * @param <S> the splits that the other one knows
 * @param <W> the splits that readers get
 */
public abstract class ForwardingEnumerator<S extends SourceSplit, W extends SourceSplit, E>
    implements SplitEnumerator<W, E> {

  private final SplitEnumerator<S, E> enumerator;

  protected ForwardingEnumerator(SplitEnumerator<S, E> enumerator) {
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

  /** Takes splits back that a reader no longer has. */
  protected final void takeBack(List<S> splits, int subtask) {
    enumerator.addSplitsBack(splits, subtask);
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
