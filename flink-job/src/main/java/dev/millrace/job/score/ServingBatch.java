package dev.millrace.job.score;

import dev.millrace.example.Example;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.Map;

/**
 * Examples that are predicted for at once, by one version of the model.
 *
 * <p>Belongs to one thread, which makes it, too.
 */
final class ServingBatch implements AutoCloseable {

  private final ExampleShape shape;
  private final ServingReplica replica;
  private final int size;

  private final float[] features;
  private final String[] words;
  private final IdLists ids;
  private final int[] stepsOrNull;
  private final float[] outputs;
  private int rows;

  /**
   * @param size most examples that it has at once
   */
  ServingBatch(ExampleShape shape, DeviceRequest device, int size) {
    if (size < 1) {
      throw new IllegalArgumentException("A batch holds at least one example, not " + size);
    }
    this.shape = shape;
    this.replica = new ServingReplica(device);
    this.size = size;
    this.features = new float[Math.multiplyExact(size, shape.features())];
    this.words = new String[Math.multiplyExact(size, shape.words())];
    this.ids = new IdLists(shape.columns().ids().size());
    this.stepsOrNull = shape.structure().isSequence() ? new int[size] : null;
    this.outputs = new float[Math.multiplyExact(size, shape.labels())];
  }

  /** Predicts with this model from now on. */
  void serve(ServedModel newest) {
    replica.serve(newest);
  }

  /** The version that predicts; null before the first. */
  ModelVersion version() {
    return replica.version();
  }

  /**
   * Copies an example into it, where there is room.
   *
   * @return its row, counted from 0
   */
  int add(Example example) {
    System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
    System.arraycopy(example.words(), 0, words, rows * shape.words(), shape.words());
    ids.addRow(example.ids(), 0);
    if (stepsOrNull != null) {
      stepsOrNull[rows] = example.steps();
    }
    return rows++;
  }

  boolean isFull() {
    return rows == size;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  int rows() {
    return rows;
  }

  /**
   * Predicts for its examples, and empties it.
   *
   * @return for each row that the model can't compute with why it can't, mostly none
   * @throws IllegalStateException if there are examples, and no model yet
   */
  Map<Integer, String> predict() {
    if (rows == 0) {
      return Map.of();
    }
    Map<Integer, String> unusable =
        replica.predict(features, words, ids, stepsOrNull, rows, outputs);
    ids.clear();
    Arrays.fill(words, 0, rows * shape.words(), null);
    rows = 0;
    return unusable;
  }

  /**
   * Returns what was last predicted for a row; of a sequence with an output for each step, for its
   * own steps.
   */
  float[] outputs(int row) {
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
