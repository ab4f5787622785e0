package dev.millrace.exchange.replay;

import dev.millrace.exchange.minibatch.SavedWords;
import dev.millrace.model.IdLists;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Examples as they came, before their features were completed, in flat arrays that are used again:
 * nothing is allocated per example.
 *
 * <p>Not thread-safe.
 */
final class ReplayRows {

  private final ExampleShape shape;
  private final int capacity;
  private final float[] features;
  private final float[] labels;
  private final String[] words;

  /** One row each; empty where examples have no ids. */
  private final IdLists[] ids;

  private final int[] steps;
  private final float[] weights;
  private final long[] came;
  private final long[] times;
  private final int[] classes;

  /** How many rows there are of each class. */
  private final int[] ofClass;

  private int size;

  ReplayRows(ExampleShape shape, int capacity) {
    this.shape = shape;
    this.capacity = capacity;
    this.features = new float[Math.multiplyExact(capacity, shape.features())];
    this.labels = new float[Math.multiplyExact(capacity, shape.labels())];
    this.words = new String[Math.multiplyExact(capacity, shape.words())];
    int fields = shape.columns().ids().size();
    this.ids = new IdLists[fields == 0 ? 0 : capacity];
    Arrays.setAll(ids, row -> new IdLists(fields));
    this.steps = new int[capacity];
    this.weights = new float[capacity];
    this.came = new long[capacity];
    this.times = new long[capacity];
    Arrays.fill(times, Minibatch.NO_TIME);
    this.classes = new int[capacity];
    this.ofClass = new int[Math.max(1, shape.outputs())];
  }

  int size() {
    return size;
  }

  int capacity() {
    return capacity;
  }

  /** Returns when it came, by the replica's clock. */
  long came(int row) {
    return came[row];
  }

  /** Milliseconds since the epoch, or {@link Minibatch#NO_TIME}. */
  long time(int row) {
    return times[row];
  }

  /** The class of a row's example; 0 where examples have none. */
  int label(int row) {
    return classes[row];
  }

  /** Returns how many rows are of a class. */
  int ofClass(int label) {
    return ofClass[label];
  }

  /** The row of the {@code nth} example of a class, which has that many. */
  int rowOfClass(int label, int nth) {
    int left = nth;
    for (int row = 0; row < size; row++) {
      if (label(row) == label && left-- == 0) {
        return row;
      }
    }
    throw new IndexOutOfBoundsException(nth);
  }

  /** Copies a row of a minibatch into {@code to}, which is at most {@link #size}. */
  void put(Minibatch minibatch, int row, int to) {
    copy(minibatch.features(), minibatch.labels(), minibatch.words(), row, to);
    copyIds(minibatch.ids(), row, to);
    steps[to] = minibatch.steps(row);
    weights[to] = minibatch.weights()[row];
    came[to] = 0;
    times[to] = Minibatch.NO_TIME;
  }

  /** Copies a row of others into {@code to}, which is at most {@link #size}. */
  void put(ReplayRows others, int row, int to, long clock, long time) {
    copy(others.features, others.labels, others.words, row, to);
    if (ids.length > 0 && ids[to] != others.ids[row]) {
      copyIds(others.ids[row], 0, to);
    }
    steps[to] = others.steps[row];
    weights[to] = others.weights[row];
    came[to] = clock;
    times[to] = time;
  }

  private void copy(float[] fromFeatures, float[] fromLabels, String[] fromWords, int row, int to) {
    int width = shape.features();
    System.arraycopy(fromFeatures, row * width, features, to * width, width);
    System.arraycopy(fromLabels, row * shape.labels(), labels, to * shape.labels(), shape.labels());
    System.arraycopy(fromWords, row * shape.words(), words, to * shape.words(), shape.words());
    place(to);
  }

  private void copyIds(IdLists from, int row, int to) {
    if (ids.length > 0) {
      ids[to].clear();
      ids[to].addRow(from, row);
    }
  }

  /** Makes what was copied to there a row, in place of the one that was. */
  private void place(int row) {
    if (row < size) {
      ofClass[classes[row]]--;
    }
    size = Math.max(size, row + 1);
    if (shape.target() == Target.CLASSIFICATION) {
      classes[row] = Measures.greatest(labels, row * shape.labels(), shape.outputs());
    }
    ofClass[classes[row]]++;
  }

  /**
   * Mixes what was predicted of a row into its label. The greatest is still the class, since
   * predictions are at most 1 and {@code share} is below 0.5.
   *
   * @param predicted the row of {@code predictions}
   */
  void distil(int row, float[] predictions, int predicted, double share) {
    int width = shape.labels();
    for (int i = 0; i < width; i++) {
      float prediction = predictions[predicted * width + i];
      labels[row * width + i] += (float) (share * (prediction - labels[row * width + i]));
    }
  }

  /** Takes out a row, whose place the last one takes. */
  void remove(int row) {
    put(this, size - 1, row, came[size - 1], times[size - 1]);
    size--;
    ofClass[classes[size]]--;
    Arrays.fill(words, size * shape.words(), (size + 1) * shape.words(), null);
  }

  void clear() {
    Arrays.fill(words, null);
    Arrays.fill(ofClass, 0);
    size = 0;
  }

  /** Adds a row to a minibatch, as one that is replayed. */
  void addTo(Minibatch minibatch, int row, double factor) {
    // Learned from at all, however old it is.
    float weight = Math.max((float) (weights[row] * factor), Float.MIN_NORMAL);
    IdLists own = ids.length == 0 ? IdLists.NONE : ids[row];
    minibatch.addReplayed(features, labels, words, row, own, steps[row], weight);
  }

  /**
   * Writes the rows from {@code from} to before {@code to}.
   *
   * @param now by the clock by which they came: ages are written
   */
  void write(int from, int to, long now, DataOutput out) throws IOException {
    out.writeInt(to - from);
    out.writeInt(shape.features());
    out.writeInt(shape.labels());
    out.writeInt(shape.words());
    BulkArrays.writeFloats(
        out, Arrays.copyOfRange(features, from * shape.features(), to * shape.features()));
    BulkArrays.writeFloats(
        out, Arrays.copyOfRange(labels, from * shape.labels(), to * shape.labels()));
    BulkArrays.writeFloats(out, Arrays.copyOfRange(weights, from, to));
    int ofRow = shape.words();
    SavedWords.write(out, Arrays.copyOfRange(words, from * ofRow, to * ofRow), (to - from) * ofRow);
    for (int row = from; row < to; row++) {
      out.writeInt(steps[row]);
      out.writeLong(now - came[row]);
    }
    ids(from, to).write(out, to - from);
  }

  private IdLists ids(int from, int to) {
    IdLists some = new IdLists(shape.columns().ids().size());
    for (int row = from; row < to && ids.length > 0; row++) {
      some.addRow(ids[row], 0);
    }
    return some;
  }

  void writeTimes(int from, int to, DataOutput out) throws IOException {
    for (int row = from; row < to; row++) {
      out.writeLong(times[row]);
    }
  }

  /** Reads the times of all rows. */
  void readTimes(DataInput in) throws IOException {
    for (int row = 0; row < size; row++) {
      times[row] = in.readLong();
    }
  }

  /**
   * Rows that were written.
   *
   * @param now when they are that old
   * @throws InvalidModelException if they are of another shape
   */
  static ReplayRows read(ExampleShape shape, long now, DataInput in) throws IOException {
    int count = in.readInt();
    int[] found = {in.readInt(), in.readInt(), in.readInt()};
    int[] expected = {shape.features(), shape.labels(), shape.words()};
    if (!Arrays.equals(found, expected)) {
      throw new InvalidModelException(
          ("The checkpoint's examples to replay have %s features, %s labels and %s words, this"
                  + " job's %s, %s and %s; submit with those that it was made with")
              .formatted(found[0], found[1], found[2], expected[0], expected[1], expected[2]));
    }
    ReplayRows rows = new ReplayRows(shape, count);
    System.arraycopy(BulkArrays.readFloats(in), 0, rows.features, 0, rows.features.length);
    System.arraycopy(BulkArrays.readFloats(in), 0, rows.labels, 0, rows.labels.length);
    System.arraycopy(BulkArrays.readFloats(in), 0, rows.weights, 0, count);
    System.arraycopy(SavedWords.read(in), 0, rows.words, 0, rows.words.length);
    for (int row = 0; row < count; row++) {
      rows.steps[row] = in.readInt();
      rows.came[row] = now - in.readLong();
      rows.place(row);
    }
    IdLists ids = IdLists.read(in);
    if (ids.fields() != shape.columns().ids().size()) {
      throw new InvalidModelException(
          ("The checkpoint's examples to replay have %s fields of ids, this job's %s; submit with"
                  + " the fields that it was made with")
              .formatted(ids.fields(), shape.columns().ids().size()));
    }
    for (int row = 0; row < count; row++) {
      rows.copyIds(ids, row, row);
    }
    return rows;
  }
}
