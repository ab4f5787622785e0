package dev.millrace.source;

import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/** An enumerator whose splits readers get as {@link CountedSplit}s. */
final class CountedEnumerator<S extends SourceSplit, E>
    extends ForwardingEnumerator<S, CountedSplit<S>, E> {

  CountedEnumerator(SplitEnumerator<S, E> enumerator) {
    super(enumerator);
  }

  /** These were given to a reader after the checkpoint: nothing of them has been counted. */
  @Override
  public void addSplitsBack(List<CountedSplit<S>> splits, int subtask) {
    takeBack(splits.stream().map(CountedSplit::split).toList(), subtask);
  }
}
