package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataRow;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/** Gives the examples of its shares, one share after the other. Runs on the task's thread. */
final class MinibatchReader implements SourceReader<DataRow, Share> {

  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final Minibatches minibatches;
  private final int epochs;
  private final Queue<Share> waiting = new ArrayDeque<>();
  private final CompletableFuture<Void> given = new CompletableFuture<>();

  private OpenShare openOrNull;
  private boolean allGiven;

  MinibatchReader(Minibatches minibatches, int epochs) {
    this.minibatches = minibatches;
    this.epochs = epochs;
  }

  @Override
  public void start() {}

  @Override
  public InputStatus pollNext(ReaderOutput<DataRow> output) throws IOException {
    if (openOrNull == null) {
      if (waiting.isEmpty()) {
        return allGiven ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
      }
      Share next = waiting.remove();
      openOrNull = new OpenShare(next, minibatches.open(next, epochs));
    }
    DataRow row = openOrNull.poll();
    if (row != null) {
      output.collect(row);
    } else if (openOrNull.isEnded()) {
      openOrNull.close();
      openOrNull = null;
    } else {
      return InputStatus.NOTHING_AVAILABLE;
    }
    return InputStatus.MORE_AVAILABLE;
  }

  @Override
  public List<Share> snapshotState(long checkpoint) {
    List<Share> shares = new ArrayList<>(waiting);
    if (openOrNull != null) {
      shares.add(0, openOrNull.state());
    }
    return shares;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    if (openOrNull != null) {
      return openOrNull.available();
    }
    return waiting.isEmpty() && !allGiven ? given : NOW;
  }

  @Override
  public void addSplits(List<Share> splits) {
    waiting.addAll(splits);
    given.complete(null);
  }

  @Override
  public void notifyNoMoreSplits() {
    allGiven = true;
    given.complete(null);
  }

  @Override
  public void close() {
    if (openOrNull != null) {
      openOrNull.close();
    }
  }
}
