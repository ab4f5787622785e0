package dev.millrace.history;

import dev.millrace.source.ForwardingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/** The context of the enumerator of the source behind. */
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
}
