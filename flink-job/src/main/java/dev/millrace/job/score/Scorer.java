package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Collects examples and predicts for several at once. All predictions of a batch are of one version
 * of the model, what it knows of features included: a new one takes over between batches, and
 * examples that wait then are its own.
 *
 * <p>Belongs to one thread, which makes it, too.
 */
final class Scorer implements AutoCloseable {

  private final ExampleShape shape;
  private final long maxWaitNanos;
  private final ServingReplica replica;

  private final float[] features;
  private final String[] words;
  private final IdLists idLists;
  private final int[] stepsOrNull;
  private final float[] outputs;
  private final byte[][] keys;
  private final String[] ids;
  private final Partition[] partitions;
  private final long[] offsets;
  private final long[] appended;
  private int rows;
  private long since;

  /**
   * @param batchSize examples that are predicted for at once, at most
   * @param maxWait how long the first of them may wait for others
   */
  Scorer(ExampleShape shape, DeviceRequest device, int batchSize, Duration maxWait) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("A batch holds at least one example, not " + batchSize);
    }
    this.shape = shape;
    this.replica = new ServingReplica(device);
    this.maxWaitNanos = maxWait.toNanos();
    this.features = new float[Math.multiplyExact(batchSize, shape.features())];
    this.words = new String[Math.multiplyExact(batchSize, shape.words())];
    this.idLists = new IdLists(shape.columns().ids().size());
    this.stepsOrNull = shape.structure().isSequence() ? new int[batchSize] : null;
    this.outputs = new float[Math.multiplyExact(batchSize, shape.labels())];
    this.keys = new byte[batchSize][];
    this.ids = new String[batchSize];
    this.partitions = new Partition[batchSize];
    this.offsets = new long[batchSize];
    this.appended = new long[batchSize];
  }

  /** Predicts with this model from now on. */
  void serve(ServedModel newest) {
    replica.serve(newest);
  }

  /**
   * Copies an example into the batch, which has room.
   *
   * @param time of its record in milliseconds since the epoch, negative for none
   * @param now as {@link System#nanoTime}
   */
  void add(Example example, long time, long now) {
    if (rows == 0) {
      since = now;
    }
    System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
    System.arraycopy(example.words(), 0, words, rows * shape.words(), shape.words());
    idLists.addRow(example.ids(), 0);
    if (stepsOrNull != null) {
      stepsOrNull[rows] = example.steps();
    }
    keys[rows] = example.key();
    ids[rows] = example.id();
    partitions[rows] = example.partition();
    offsets[rows] = example.offset();
    appended[rows] = time;
    rows++;
  }

  boolean isFull() {
    return rows == keys.length;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  /** Returns how long the batch may still wait, in nanoseconds; not above 0 if it is overdue. */
  long patience(long now) {
    return maxWaitNanos - (now - since);
  }

  /**
   * Predicts for all examples of the batch, in their order, and empties it.
   *
   * @param unusable takes, in the same order, those that the model can't compute with
   * @throws IllegalStateException if there are some, and no model yet
   */
  void predict(Consumer<Prediction> predictions, Consumer<RejectedRecord> unusable) {
    if (rows == 0) {
      return;
    }
    Map<Integer, String> reasons =
        replica.predict(features, words, idLists, stepsOrNull, rows, outputs);
    int predicted = rows;
    rows = 0;
    for (int row = 0; row < predicted; row++) {
      String reason = reasons.get(row);
      if (reason == null) {
        predictions.accept(prediction(row));
      } else {
        // The record's bytes are gone.
        unusable.accept(
            new RejectedRecord(
                partitions[row], offsets[row], appended[row], keys[row], new byte[0], reason));
      }
    }
    Arrays.fill(keys, 0, predicted, null);
    Arrays.fill(ids, 0, predicted, null);
    idLists.clear();
    Arrays.fill(words, 0, predicted * shape.words(), null);
  }

  private Prediction prediction(int row) {
    return new Prediction(
        replica.version(),
        outputsOf(row),
        keys[row],
        ids[row],
        partitions[row],
        offsets[row],
        appended[row]);
  }

  /**
   * Returns the outputs of a row; of a sequence with an output for each step, those of its own
   * steps.
   */
  private float[] outputsOf(int row) {
    int from = row * shape.labels();
    int length =
        shape.structure().labelPerStep() ? stepsOrNull[row] * shape.outputs() : shape.labels();
    return Arrays.copyOfRange(outputs, from, from + length);
  }

  @Override
  public void close() {
    replica.close();
  }
}
