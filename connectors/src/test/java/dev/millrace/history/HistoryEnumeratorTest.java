package dev.millrace.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.source.ForwardingContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.connector.file.src.impl.StaticFileSplitEnumerator;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;

class HistoryEnumeratorTest {

  private final Context context = new Context();

  @Test
  void topicsBeginWhenAllReadersHaveReadTheirFiles() throws Exception {
    HistoryEnumerator<Live, String> enumerator = enumerator(false, file("a"), file("b"));
    context.register(enumerator, 0, 1);

    enumerator.handleSplitRequest(0, "host");
    enumerator.handleSplitRequest(1, "host");
    enumerator.handleSplitRequest(1, "host");
    assertThat(context.given).containsExactly("0 a", "1 b", "1 NO_MORE_FILES");
    enumerator.handleSourceEvent(1, HistoryEvent.FILES_READ);
    assertThat(context.given).hasSize(3);
    assertThat(enumerator.snapshotState(1).isRead()).isFalse();
    enumerator.handleSourceEvent(0, HistoryEvent.FILES_READ);

    assertThat(context.given.subList(3, 5)).containsExactlyInAnyOrder("0 ALL_READ", "1 ALL_READ");
    assertThat(enumerator.snapshotState(2).isRead()).isTrue();
  }

  /** What HybridSource leaves without an answer: readers that come back from before the switch. */
  @Test
  void readersThatComeBackFromBeforeTheSwitchGetTheirFilesAgain() throws Exception {
    HistoryEnumerator<Live, String> enumerator = enumerator(false, file("a"));
    context.register(enumerator, 0, 1);
    enumerator.handleSplitRequest(0, "host");
    enumerator.handleSourceEvent(0, HistoryEvent.FILES_READ);
    enumerator.handleSourceEvent(1, HistoryEvent.FILES_READ);
    context.given.clear();

    enumerator.addSplitsBack(List.of(HistorySplit.file(file("a"))), 0);
    enumerator.addSplitsBack(List.of(HistorySplit.live(new Live("t-0"))), 0);
    context.register(enumerator, 0, 1);
    enumerator.handleSplitRequest(1, "host");
    enumerator.handleSourceEvent(0, HistoryEvent.FILES_READ);

    assertThat(context.given).containsExactly("1 a");
    assertThat(context.back).containsExactly("t-0");
    assertThat(enumerator.snapshotState(3).isRead()).isFalse();
    enumerator.handleSplitRequest(1, "host");
    enumerator.handleSourceEvent(1, HistoryEvent.FILES_READ);
    assertThat(context.given)
        .containsExactlyInAnyOrder("1 a", "1 NO_MORE_FILES", "0 ALL_READ", "1 ALL_READ");
  }

  /** Of a bounded topic some readers may have ended for good. */
  @Test
  void restoredBehindTheSwitchNobodyWaitsForTheOthers() throws Exception {
    HistoryEnumerator<Live, String> enumerator = enumerator(true);
    context.register(enumerator, 1);

    enumerator.handleSplitRequest(1, "host");
    enumerator.handleSourceEvent(1, HistoryEvent.FILES_READ);

    assertThat(context.given).containsExactly("1 NO_MORE_FILES", "1 ALL_READ");
  }

  /** Flink's own signal would have its coordinator ignore requests for files. */
  @Test
  void theEndOfTopicsIsAnEvent() {
    new LiveContext<>(context).signalNoMoreSplits(1);

    assertThat(context.given).containsExactly("1 NO_MORE_SPLITS");
  }

  private HistoryEnumerator<Live, String> enumerator(boolean wasRead, FileSourceSplit... files) {
    SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> ofFiles =
        new StaticFileSplitEnumerator(new FileContext<>(context), new PathOrder(List.of(files)));
    return new HistoryEnumerator<>(context, ofFiles, new LiveEnumerator(context.back), wasRead);
  }

  private static FileSourceSplit file(String name) {
    return new FileSourceSplit(name, new Path("/" + name), 0, 1, 0, 1);
  }

  private record Live(String splitId) implements SourceSplit {}

  /** Keeps what it gets back. */
  private record LiveEnumerator(Collection<String> back) implements SplitEnumerator<Live, String> {

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {
      throw new IllegalStateException("Nobody asks for topics");
    }

    @Override
    public void addSplitsBack(List<Live> splits, int subtask) {
      splits.forEach(split -> back.add(split.splitId()));
    }

    @Override
    public void addReader(int subtask) {}

    @Override
    public String snapshotState(long checkpointId) {
      return "";
    }

    @Override
    public void close() {}
  }

  /** Two readers, and what they are given. */
  private static final class Context
      extends ForwardingContext<HistorySplit<Live>, HistorySplit<Live>> {

    final List<String> given = new ArrayList<>();
    final List<String> back = new ArrayList<>();
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();

    Context() {
      super((SplitEnumeratorContext<HistorySplit<Live>>) null);
    }

    void register(HistoryEnumerator<Live, String> enumerator, int... subtasks) {
      for (int subtask : subtasks) {
        readers.put(subtask, new ReaderInfo(subtask, "host"));
        enumerator.addReader(subtask);
      }
    }

    @Override
    public int currentParallelism() {
      return 2;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
      return readers;
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
      given.add(subtask + " " + event);
    }

    @Override
    public void assignSplits(SplitsAssignment<HistorySplit<Live>> assignment) {
      assignment
          .assignment()
          .forEach(
              (subtask, splits) ->
                  splits.forEach(split -> given.add(subtask + " " + split.splitId())));
    }
  }
}
