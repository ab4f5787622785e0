package dev.millrace.kafka.source;

import dev.millrace.source.ForwardingEnumerator;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/**
 * Tells every reader that no more splits will come, once partitions have been looked for and all
 * splits of the reader were given to it. In all else the enumerator that it wraps.
 */
final class EndingEnumerator<S extends SourceSplit, E> extends ForwardingEnumerator<S, S, E> {

  private final DiscoveryContext<S> context;
  private boolean discovered;

  EndingEnumerator(SplitEnumerator<S, E> enumerator, DiscoveryContext<S> context) {
    super(enumerator);
    this.context = context;
  }

  @Override
  public void start() {
    context.whenDone(
        () -> {
          discovered = true;
          context.registeredReaders().keySet().forEach(context::signalNoMoreSplits);
        });
    super.start();
  }

  @Override
  public void addReader(int subtask) {
    super.addReader(subtask);
    if (discovered) {
      context.signalNoMoreSplits(subtask);
    }
  }

  @Override
  public void addSplitsBack(List<S> splits, int subtask) {
    takeBack(splits, subtask);
  }
}
