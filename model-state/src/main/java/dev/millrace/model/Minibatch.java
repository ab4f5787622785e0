package dev.millrace.model;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The examples of one optimizer step, in flat row-major arrays that are filled, used and cleared
 * again: nothing is allocated per example. Rows remember the record that they came from, so that
 * the ledger can tell what was learned.
 *
 * <p>Not thread-safe.
 */
public final class Minibatch {

  private final ExampleShape shape;
  private final float[] features;
  private final float[] labels;
  private final float[] weights;
  private final Partition[] partitions;
  private final long[] offsets;
  private int size;

  public Minibatch(ExampleShape shape, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("A minibatch holds at least one example, not " + capacity);
    }
    this.shape = shape;
    this.features = new float[Math.multiplyExact(capacity, shape.features())];
    this.labels = new float[Math.multiplyExact(capacity, shape.outputs())];
    this.weights = new float[capacity];
    this.partitions = new Partition[capacity];
    this.offsets = new long[capacity];
  }

  /**
   * Copies one example into the next row.
   *
   * @param exampleFeatures at least {@code shape.features()} floats
   * @param exampleLabels at least {@code shape.outputs()} floats; one-hot for classification
   * @param weight how much the example counts in the loss, above 0
   * @throws IllegalStateException if the minibatch is full
   */
  public void add(
      float[] exampleFeatures,
      float[] exampleLabels,
      float weight,
      Partition partition,
      long offset) {
    if (isFull()) {
      throw new IllegalStateException("The minibatch is full: " + size + " examples");
    }
    System.arraycopy(exampleFeatures, 0, features, size * shape.features(), shape.features());
    System.arraycopy(exampleLabels, 0, labels, size * shape.outputs(), shape.outputs());
    weights[size] = weight;
    partitions[size] = partition;
    offsets[size] = offset;
    size++;
  }

  /** Takes rows out; those behind them move up. */
  public void remove(BitSet rows) {
    int kept = rows.nextSetBit(0);
    for (int row = kept; row >= 0 && row < size; row++) {
      if (!rows.get(row)) {
        move(row, kept++);
      }
    }
    if (kept >= 0) {
      Arrays.fill(partitions, kept, size, null);
      size = kept;
    }
  }

  private void move(int from, int to) {
    int width = shape.features();
    int outputs = shape.outputs();
    System.arraycopy(features, from * width, features, to * width, width);
    System.arraycopy(labels, from * outputs, labels, to * outputs, outputs);
    weights[to] = weights[from];
    partitions[to] = partitions[from];
    offsets[to] = offsets[from];
  }

  public void clear() {
    Arrays.fill(partitions, 0, size, null);
    size = 0;
  }

  public ExampleShape shape() {
    return shape;
  }

  public int size() {
    return size;
  }

  public int capacity() {
    return weights.length;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean isFull() {
    return size == weights.length;
  }

  /**
   * The backing array, rows of {@code shape.features()}; the first {@link #size} rows are filled.
   */
  public float[] features() {
    return features;
  }

  /** The backing array, rows of {@code shape.outputs()}. */
  public float[] labels() {
    return labels;
  }

  /** The backing array, one weight a row. */
  public float[] weights() {
    return weights;
  }

  public Partition partition(int row) {
    return partitions[row];
  }

  public long offset(int row) {
    return offsets[row];
  }

  /** Sum of the weights of all rows. */
  public double totalWeight() {
    double sum = 0;
    for (int row = 0; row < size; row++) {
      sum += weights[row];
    }
    return sum;
  }

  /** Enters every row into the ledger as learned. */
  public void recordIn(Ledger ledger) {
    for (int row = 0; row < size; row++) {
      ledger.learned(partitions[row], offsets[row]);
    }
  }
}
