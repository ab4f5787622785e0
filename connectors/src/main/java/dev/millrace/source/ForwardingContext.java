package dev.millrace.source;

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

/**
 * The context of an enumerator, which is another in all that a subclass doesn't change.
 *
 * @param <S> the enumerator's splits
 * @param <W> the splits that readers get
 */
public abstract class ForwardingContext<S extends SourceSplit, W extends SourceSplit>
    implements SplitEnumeratorContext<S>, SupportsIntermediateNoMoreSplits {

  private final SplitEnumeratorContext<W> context;

  protected ForwardingContext(SplitEnumeratorContext<W> context) {
    this.context = context;
  }

  /** Gives readers their splits. */
  protected final void assign(SplitsAssignment<W> assignment) {
    context.assignSplits(assignment);
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
  public SplitEnumeratorMetricGroup metricGroup() {
    return context.metricGroup();
  }

  @Override
  public void sendEventToSourceReader(int subtask, SourceEvent event) {
    context.sendEventToSourceReader(subtask, event);
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
  public void signalNoMoreSplits(int subtask) {
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    context.runInCoordinatorThread(runnable);
  }

  @Override
  public void sendEventToSourceReader(int subtask, int attempt, SourceEvent event) {
    context.sendEventToSourceReader(subtask, attempt, event);
  }

  @Override
  public Map<Integer, Map<Integer, ReaderInfo>> registeredReadersOfAttempts() {
    return context.registeredReadersOfAttempts();
  }

  /** Passes this on for sources that read one source after another, as Flink's hybrid source. */
  @Override
  public void signalIntermediateNoMoreSplits(int subtask) {
    if (context instanceof SupportsIntermediateNoMoreSplits supporting) {
      supporting.signalIntermediateNoMoreSplits(subtask);
    }
  }

  @Override
  public void setIsProcessingBacklog(boolean isProcessingBacklog) {
    context.setIsProcessingBacklog(isProcessingBacklog);
  }
}
