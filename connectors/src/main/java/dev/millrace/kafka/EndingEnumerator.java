package dev.millrace.kafka;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/**
 * Tells every reader that no more splits will come, once partitions have been looked for and all
 * splits of the reader were given to it. In all else the enumerator that it wraps.
 */
final class EndingEnumerator<S extends SourceSplit, E> implements SplitEnumerator<S, E> {

  private final SplitEnumerator<S, E> enumerator;
  private final DiscoveryContext<S> context;
  private boolean discovered;

  EndingEnumerator(SplitEnumerator<S, E> enumerator, DiscoveryContext<S> context) {
    this.enumerator = enumerator;
    this.context = context;
  }

  @Override
  public void start() {
    context.whenDone(
        () -> {
          discovered = true;
          context.registeredReaders().keySet().forEach(context::signalNoMoreSplits);
        });
    enumerator.start();
  }

  @Override
  public void addReader(int subtask) {
    enumerator.addReader(subtask);
    if (discovered) {
      context.signalNoMoreSplits(subtask);
    }
  }

  @Override
  public void handleSplitRequest(int subtask, String hostname) {
    enumerator.handleSplitRequest(subtask, hostname);
  }

  @Override
  public void addSplitsBack(List<S> splits, int subtask) {
    enumerator.addSplitsBack(splits, subtask);
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
