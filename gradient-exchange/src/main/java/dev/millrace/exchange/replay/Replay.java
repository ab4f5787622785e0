package dev.millrace.exchange.replay;

import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Replays to one replica what it learned before (experience replay; Rolnick et al., "Experience
 * Replay for Continual Learning", 2019). Examples are kept as they came, and are completed by what
 * is known when they are replayed. By option, the label of one is mixed with what the model
 * predicted of it (dark experience replay; Buzzega et al., "Dark Experience for General Continual
 * Learning", 2020): for cross-entropy and squared error the gradient is that of both losses, mixed.
 *
 * <p>All that is drawn follows from the seed, the replica and how many examples it has learned. So
 * after a restart the same is kept and replayed. It isn't known to the ledger.
 *
 * <p>Not thread-safe.
 */
public final class Replay implements ReplicaHook, HookState.Shared {

  private final ReplayBuffer buffer;
  private final double ratio;

  /** Minibatches with replayed rows that aren't learned yet, in the order of their steps. */
  private final Deque<Minibatch> waiting = new ArrayDeque<>();

  /** Fresh rows of {@link #waiting}. */
  private int ahead;

  /** The fresh rows of the step that is made, as they came. */
  private ReplayRows fresh;

  private Partition[] partitions = {};
  private long[] offsets = {};

  /** Read by any thread, as metrics. */
  private volatile int kept;

  private final AtomicLong replayed = new AtomicLong();

  /** Begins with nothing kept. */
  Replay(ReplaySettings settings, ExampleShape shape, int index, int readers) {
    this.buffer = new ReplayBuffer(settings, shape, index, readers);
    this.ratio = settings.ratio();
  }

  /**
   * Adds what is replayed to the fresh rows. What is drawn from lacks the examples of minibatches
   * that wait.
   */
  @Override
  public boolean isReady(Minibatch minibatch) {
    if (!waiting.contains(minibatch)) {
      long before = buffer.seen() + ahead;
      double rows = Math.floor((before + minibatch.fresh()) * ratio) - Math.floor(before * ratio);
      int room = minibatch.capacity() - minibatch.fresh();
      buffer.replay(minibatch, before, (int) Math.min(rows, room));
      waiting.add(minibatch);
      ahead += minibatch.fresh();
    }
    return true;
  }

  /** Notes the fresh rows of a step, and adds what is replayed if nobody asked for it before. */
  @Override
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    isReady(minibatch);
    if (waiting.removeFirst() != minibatch) {
      throw new IllegalStateException("Minibatches are learned in another order than was asked");
    }
    ahead -= minibatch.fresh();
    note(minibatch);
  }

  private void note(Minibatch minibatch) {
    if (partitions.length < minibatch.capacity()) {
      fresh = new ReplayRows(minibatch.shape(), minibatch.capacity());
      partitions = new Partition[minibatch.capacity()];
      offsets = new long[minibatch.capacity()];
    }
    fresh.clear();
    for (int row = 0; row < minibatch.fresh(); row++) {
      fresh.put(minibatch, row, row);
      partitions[row] = minibatch.partition(row);
      offsets[row] = minibatch.offset(row);
    }
  }

  /** Offers what was learned of the step's fresh rows to be kept. */
  @Override
  public void afterStep(Minibatch minibatch, float[] predictions) {
    buffer.noteTime(minibatch.newestTime());
    int left = 0;
    for (int row = 0; row < fresh.size() && left < minibatch.fresh(); row++) {
      // Rows that the model can't compute with have been taken out of the minibatch.
      if (offsets[row] == minibatch.offset(left)
          && partitions[row].equals(minibatch.partition(left))) {
        buffer.offer(fresh, row, predictions, left);
        left++;
      }
    }
    kept = buffer.size();
    replayed.addAndGet(minibatch.size() - minibatch.fresh());
  }

  @Override
  public void contributed() {
    buffer.contributed();
  }

  /** None of what was learned since the last contribution is replayed: it is drawn anew. */
  @Override
  public void refused() {
    for (Minibatch minibatch : waiting) {
      BitSet replayed = new BitSet();
      replayed.set(minibatch.fresh(), minibatch.size());
      minibatch.remove(replayed);
    }
    waiting.clear();
    ahead = 0;
    buffer.refused();
    kept = buffer.size();
  }

  /** Returns how many examples are kept now. */
  public int size() {
    return buffer.size();
  }

  /** Returns how many examples are kept, and how many were replayed since it was made. */
  @Override
  public Map<String, LongSupplier> gauges() {
    return Map.of("replayBufferSize", () -> kept, "replayedExamples", replayed::get);
  }

  @Override
  public Optional<HookState> state() {
    return Optional.of(this);
  }

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public List<byte[]> save() throws IOException {
    return buffer.save();
  }

  /**
   * Continues from parts that were saved. Each example stays, up to as many as there is room for.
   *
   * @throws InvalidModelException if they are of another shape
   */
  @Override
  public void restore(List<byte[]> saved) throws IOException {
    buffer.restore(saved);
    kept = buffer.size();
  }
}
