package dev.millrace.history;

import dev.millrace.source.ForwardingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.file.src.FileSourceSplit;

/**
 * The context of the files' enumerator. A reader that gets no more files isn't at its end: it is
 * told by an event.
 */
final class FileContext<L extends SourceSplit>
    extends ForwardingContext<FileSourceSplit, HistorySplit<L>> {

  FileContext(SplitEnumeratorContext<HistorySplit<L>> context) {
    super(context);
  }

  @Override
  public void assignSplits(SplitsAssignment<FileSourceSplit> assignment) {
    Map<Integer, List<HistorySplit<L>>> files = new HashMap<>();
    assignment
        .assignment()
        .forEach(
            (subtask, splits) ->
                files.put(subtask, splits.stream().map(HistorySplit::<L>file).toList()));
    assign(new SplitsAssignment<>(files));
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    sendEventToSourceReader(subtask, HistoryEvent.NO_MORE_FILES);
  }
}
