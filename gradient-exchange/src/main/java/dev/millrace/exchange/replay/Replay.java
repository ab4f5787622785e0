package dev.millrace.exchange.replay;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.List;

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
public final class Replay {

  /** Keeps and replays nothing. */
  public static final Replay NONE = new Replay();

  private final ReplayBuffer bufferOrNull;
  private final double ratio;

  /** The fresh rows of the step that is made, as they came. */
  private ReplayRows fresh;

  private Partition[] partitions = {};
  private long[] offsets = {};
  private long replayed;

  private Replay() {
    this.bufferOrNull = null;
    this.ratio = 0;
  }

  Replay(ReplaySettings settings, ExampleShape shape, int index, int replicas) {
    this.bufferOrNull = new ReplayBuffer(settings, shape, index, replicas);
    this.ratio = settings.ratio();
  }

  /** Adds what is replayed to the fresh rows of a step, and notes these. */
  public void mix(Minibatch minibatch) {
    if (bufferOrNull == null) {
      return;
    }
    note(minibatch);
    long seen = bufferOrNull.seen();
    double rows = Math.floor((seen + minibatch.fresh()) * ratio) - Math.floor(seen * ratio);
    int room = minibatch.capacity() - minibatch.fresh();
    bufferOrNull.replay(minibatch, (int) Math.min(rows, room));
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

  /**
   * The step is made: what was learned of its fresh rows may be kept.
   *
   * @param predictions of the minibatch's rows, before they were learned
   */
  public void learned(Minibatch minibatch, float[] predictions) {
    if (bufferOrNull == null) {
      return;
    }
    bufferOrNull.noteTime(minibatch.newestTime());
    int left = 0;
    for (int row = 0; row < fresh.size() && left < minibatch.fresh(); row++) {
      // Rows that the model can't compute with have been taken out of the minibatch.
      if (offsets[row] == minibatch.offset(left)
          && partitions[row].equals(minibatch.partition(left))) {
        bufferOrNull.offer(fresh, row, predictions, left);
        left++;
      }
    }
    replayed += minibatch.size() - minibatch.fresh();
  }

  /** Notes that what was learned up to here is contributed: it is sound. */
  public void contributed() {
    if (bufferOrNull != null) {
      bufferOrNull.contributed();
    }
  }

  /**
   * Notes that what was learned since the last contribution isn't sound: none of it is replayed.
   */
  public void refused() {
    if (bufferOrNull != null) {
      bufferOrNull.refused();
    }
  }

  /** Examples that are kept now. */
  public int size() {
    return bufferOrNull == null ? 0 : bufferOrNull.size();
  }

  /** Examples that were replayed since it was made. */
  public long replayed() {
    return replayed;
  }

  /** All that is kept, in parts of about as many examples. */
  public List<byte[]> save() throws IOException {
    return bufferOrNull == null ? List.of() : bufferOrNull.save();
  }

  /**
   * Continues from parts that were saved, of this replica or of others. Each example stays, up to
   * as many as there is room for.
   *
   * @throws InvalidModelException if they are of another shape
   */
  public void restore(List<byte[]> saved) throws IOException {
    if (bufferOrNull != null) {
      bufferOrNull.restore(saved);
    }
  }
}
