package dev.millrace.job.evaluate.report;

import dev.millrace.example.Example;
import dev.millrace.model.IdLists;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * Neighbouring examples of one partition, each in the row that its offset says.
 *
 * <p>Not thread-safe.
 */
final class Batch {

  static final int ROWS = 256;

  private final ExampleShape shape;
  private final float[] features;
  private final float[] labels;
  private final String[] words;
  private final IdLists[] idsOfRows = new IdLists[ROWS];
  private final IdLists ids;
  private final int[] stepsOrNull;
  private final boolean[] filled = new boolean[ROWS];
  private Partition partition;
  private int size;
  private long number;

  Batch(ExampleShape shape) {
    this.shape = shape;
    this.features = new float[Math.multiplyExact(rows(shape), shape.features())];
    this.labels = new float[Math.multiplyExact(ROWS, shape.labels())];
    this.words = new String[Math.multiplyExact(rows(shape), shape.words())];
    this.ids = new IdLists(shape.columns().ids().size());
    this.stepsOrNull = shape.structure().isSequence() ? new int[rows(shape)] : null;
    clearSteps();
  }

  /**
   * Rows that are predicted for. Of sequences there is one more, as long as one can be: how far the
   * others are filled up, and so their last bits, doesn't depend on which of them are together.
   */
  static int rows(ExampleShape shape) {
    return shape.structure().isSequence() ? ROWS + 1 : ROWS;
  }

  /** Returns which batch of its partition an example belongs to. */
  static long numberOf(Example example) {
    return example.offset() / ROWS;
  }

  /** Returns which batch of its partition this is; the first example decides it. */
  long number() {
    return number;
  }

  void add(Example example) {
    partition = example.partition();
    number = numberOf(example);
    int row = (int) (example.offset() % ROWS);
    System.arraycopy(example.features(), 0, features, row * shape.features(), shape.features());
    System.arraycopy(example.labels(), 0, labels, row * shape.labels(), shape.labels());
    System.arraycopy(example.words(), 0, words, row * shape.words(), shape.words());
    if (ids.fields() > 0) {
      idsOfRows[row] = new IdLists(ids.fields());
      idsOfRows[row].addRow(example.ids(), 0);
    }
    if (stepsOrNull != null) {
      stepsOrNull[row] = example.steps();
    }
    size += filled[row] ? 0 : 1;
    filled[row] = true;
  }

  /**
   * Takes a row out.
   *
   * @param reject is told of where its example is from, if it has one
   */
  void remove(int row, ObjLongConsumer<Partition> reject) {
    if (row < ROWS && filled[row]) {
      filled[row] = false;
      size--;
      reject.accept(partition, number * ROWS + row);
    }
  }

  int size() {
    return size;
  }

  /** All {@link #rows}; those that aren't filled are 0. */
  float[] features() {
    return features;
  }

  /** Words of all rows; null where there is none. */
  String[] words() {
    return words;
  }

  /** Ids of all rows; none where there is no example. */
  IdLists ids() {
    ids.clear();
    IdLists empty = IdLists.ofEmptyRow(ids.fields());
    for (int row = 0; row < ROWS; row++) {
      ids.addRow(filled[row] ? idsOfRows[row] : empty, 0);
    }
    return ids;
  }

  /** Steps of each row's sequence, 1 where there is none; null where examples are no sequences. */
  int[] stepsOrNull() {
    return stepsOrNull;
  }

  /** Rows of labels; after {@link #compact} as many count as that says. */
  float[] labels() {
    return labels;
  }

  /**
   * Moves the filled rows of labels, and of predictions for them, to the front: of sequences with
   * labels for each step, a row for each step.
   *
   * @return how many rows count
   */
  int compact(float[] predictions) {
    int outputs = shape.outputs();
    boolean perStep = shape.structure().labelPerStep();
    int to = 0;
    for (int row = 0; row < ROWS; row++) {
      if (filled[row]) {
        int rows = perStep ? stepsOrNull[row] : 1;
        move(labels, row * shape.labels(), to * outputs, rows * outputs);
        move(predictions, row * shape.labels(), to * outputs, rows * outputs);
        to += rows;
      }
    }
    return to;
  }

  private static void move(float[] values, int from, int to, int length) {
    if (from != to) {
      System.arraycopy(values, from, values, to, length);
    }
  }

  void clear() {
    if (size < ROWS) {
      Arrays.fill(features, 0);
    }
    Arrays.fill(words, null);
    Arrays.fill(filled, false);
    clearSteps();
    size = 0;
  }

  private void clearSteps() {
    if (stepsOrNull != null) {
      Arrays.fill(stepsOrNull, 1);
      stepsOrNull[ROWS] = shape.structure().steps();
    }
  }
}
