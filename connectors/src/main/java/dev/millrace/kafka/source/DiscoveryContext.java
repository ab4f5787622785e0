package dev.millrace.kafka.source;

import dev.millrace.source.ForwardingContext;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/**
 * Notices when an enumerator that looks for partitions once has found all: when what it asked for
 * in the background has come, and it asks for nothing more. In all else the context that it wraps.
 *
 * <p>Used on the coordinator's thread alone.
 */
final class DiscoveryContext<S extends SourceSplit> extends ForwardingContext<S, S> {

  private int underWay;
  private Runnable whenDone = () -> {};

  DiscoveryContext(SplitEnumeratorContext<S> context) {
    super(context);
  }

  /**
   * @param action called each time nothing is under way any more
   */
  void whenDone(Runnable action) {
    whenDone = action;
  }

  @Override
  public void assignSplits(SplitsAssignment<S> assignment) {
    assign(assignment);
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    underWay++;
    super.callAsync(
        callable,
        (result, failure) -> {
          handler.accept(result, failure);
          underWay--;
          if (underWay == 0) {
            whenDone.run();
          }
        });
  }
}
