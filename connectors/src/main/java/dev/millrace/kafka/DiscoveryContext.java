package dev.millrace.kafka;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/**
 * Notices when an enumerator that looks for partitions once has found all: when what it asked for
 * in the background has come, and it asks for nothing more. In all else the context that it wraps.
 *
 * <p>Used on the coordinator's thread alone.
 */
final class DiscoveryContext<S extends SourceSplit> implements SplitEnumeratorContext<S> {

  private final SplitEnumeratorContext<S> context;
  private int underWay;
  private Runnable whenDone = () -> {};

  DiscoveryContext(SplitEnumeratorContext<S> context) {
    this.context = context;
  }

  /**
   * @param action called each time nothing is under way any more
   */
  void whenDone(Runnable action) {
    whenDone = action;
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    underWay++;
    context.callAsync(
        callable,
        (result, failure) -> {
          handler.accept(result, failure);
          underWay--;
          if (underWay == 0) {
            whenDone.run();
          }
        });
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
  public void assignSplits(SplitsAssignment<S> assignment) {
    context.assignSplits(assignment);
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    context.runInCoordinatorThread(runnable);
  }
}
