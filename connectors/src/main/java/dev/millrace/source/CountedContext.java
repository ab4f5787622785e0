package dev.millrace.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.api.connector.source.SupportsIntermediateNoMoreSplits;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** Hands an enumerator's splits out as {@link CountedSplit}s of which nothing has been read. */
final class CountedContext<S extends SourceSplit>
    implements SplitEnumeratorContext<S>, SupportsIntermediateNoMoreSplits {

  private final SplitEnumeratorContext<CountedSplit<S>> context;

  CountedContext(SplitEnumeratorContext<CountedSplit<S>> context) {
    this.context = context;
  }

  @Override
  public SplitEnumeratorMetricGroup metricGroup() {
    return context.metricGroup();
  }

  @Override
  public void sendEventToSourceReader(int subtask, SourceEvent event) {
    context.sendEventToSourceReader(subtask, event);
  }

  @Override
  public void sendEventToSourceReader(int subtask, int attempt, SourceEvent event) {
    context.sendEventToSourceReader(subtask, attempt, event);
  }

  @Override
  public int currentParallelism() {
    return context.currentParallelism();
  }

  @Override
  public Map<Integer, ReaderInfo> registeredReaders() {
    return context.registeredReaders();
  }

  @Override
  public Map<Integer, Map<Integer, ReaderInfo>> registeredReadersOfAttempts() {
    return context.registeredReadersOfAttempts();
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
    context.assignSplits(new SplitsAssignment<>(counted));
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    context.signalNoMoreSplits(subtask);
  }

  /** For sources that read one source after another, such as Flink's hybrid source. */
  @Override
  public void signalIntermediateNoMoreSplits(int subtask) {
    if (context instanceof SupportsIntermediateNoMoreSplits supporting) {
      supporting.signalIntermediateNoMoreSplits(subtask);
    }
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    context.callAsync(callable, handler);
  }

  @Override
  public <T> void callAsync(
      Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelay, long period) {
    context.callAsync(callable, handler, initialDelay, period);
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    context.runInCoordinatorThread(runnable);
  }

  @Override
  public void setIsProcessingBacklog(boolean isProcessingBacklog) {
    context.setIsProcessingBacklog(isProcessingBacklog);
  }
}
