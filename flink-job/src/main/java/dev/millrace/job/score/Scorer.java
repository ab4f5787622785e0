package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.follow.ServedModel;
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

  private final long maxWaitNanos;
  private final ServingBatch batch;

  private final byte[][] keys;
  private final String[] ids;
  private final Partition[] partitions;
  private final long[] offsets;
  private final long[] appended;
  private long since;

  /**
   * @param batchSize examples that are predicted for at once, at most
   * @param maxWait how long the first of them may wait for others
   */
  Scorer(ExampleShape shape, DeviceRequest device, int batchSize, Duration maxWait) {
    this.batch = new ServingBatch(shape, device, batchSize);
    this.maxWaitNanos = maxWait.toNanos();
    this.keys = new byte[batchSize][];
    this.ids = new String[batchSize];
    this.partitions = new Partition[batchSize];
    this.offsets = new long[batchSize];
    this.appended = new long[batchSize];
  }

  /** Predicts with this model from now on. */
  void serve(ServedModel newest) {
    batch.serve(newest);
  }

  /**
   * Copies an example into the batch, which has room.
   *
   * @param time of its record in milliseconds since the epoch, negative for none
   * @param now as {@link System#nanoTime}
   */
  void add(Example example, long time, long now) {
    if (batch.isEmpty()) {
      since = now;
    }
    int row = batch.add(example);
    keys[row] = example.key();
    ids[row] = example.id();
    partitions[row] = example.partition();
    offsets[row] = example.offset();
    appended[row] = time;
  }

  boolean isFull() {
    return batch.isFull();
  }

  boolean isEmpty() {
    return batch.isEmpty();
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
    int predicted = batch.rows();
    Map<Integer, String> reasons = batch.predict();
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
  }

  private Prediction prediction(int row) {
    return new Prediction(
        batch.version(),
        batch.outputs(row),
        keys[row],
        ids[row],
        partitions[row],
        offsets[row],
        appended[row]);
  }

  @Override
  public void close() {
    batch.close();
  }
}
