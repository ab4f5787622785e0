package dev.millrace.history;

import dev.millrace.source.ForwardingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/**
 * The context of the enumerator of the source behind. A reader that gets no more of its splits is
 * told by an event: Flink's coordinator (2.3) would hear no more of its requests, and it still has
 * files to ask for.
 */
final class LiveContext<L extends SourceSplit> extends ForwardingContext<L, HistorySplit<L>> {

  LiveContext(SplitEnumeratorContext<HistorySplit<L>> context) {
    super(context);
  }

  @Override
  public void assignSplits(SplitsAssignment<L> assignment) {
    Map<Integer, List<HistorySplit<L>>> live = new HashMap<>();
    assignment
        .assignment()
        .forEach(
            (subtask, splits) ->
                live.put(subtask, splits.stream().map(HistorySplit::live).toList()));
    assign(new SplitsAssignment<>(live));
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    sendEventToSourceReader(subtask, HistoryEvent.NO_MORE_SPLITS);
  }
}
