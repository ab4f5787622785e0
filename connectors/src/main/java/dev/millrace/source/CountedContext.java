package dev.millrace.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/** Hands an enumerator's splits out as {@link CountedSplit}s of which nothing has been read. */
final class CountedContext<S extends SourceSplit> extends ForwardingContext<S, CountedSplit<S>> {

  CountedContext(SplitEnumeratorContext<CountedSplit<S>> context) {
    super(context);
  }

  @Override
  public void assignSplits(SplitsAssignment<S> assignment) {
    Map<Integer, List<CountedSplit<S>>> counted = new HashMap<>();
    assignment
        .assignment()
        .forEach(
            (subtask, splits) -> {
              List<CountedSplit<S>> fresh = new ArrayList<>();
              splits.forEach(split -> fresh.add(new CountedSplit<>(split, List.of())));
              counted.put(subtask, fresh);
            });
    assign(new SplitsAssignment<>(counted));
  }
}
