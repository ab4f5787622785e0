package dev.millrace.job.evaluate.report;

import dev.millrace.example.Example;
import dev.millrace.model.ExampleShape;
import java.util.Arrays;

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
  private final boolean[] filled = new boolean[ROWS];
  private int size;
  private long number;

  Batch(ExampleShape shape) {
    this.shape = shape;
    this.features = new float[Math.multiplyExact(ROWS, shape.features())];
    this.labels = new float[Math.multiplyExact(ROWS, shape.outputs())];
  }

  /** Which batch of its partition an example belongs to. */
  static long numberOf(Example example) {
    return example.offset() / ROWS;
  }

  /** Which batch of its partition this is; the first example decides it. */
  long number() {
    return number;
  }

  void add(Example example) {
    number = numberOf(example);
    int row = (int) (example.offset() % ROWS);
    System.arraycopy(example.features(), 0, features, row * shape.features(), shape.features());
    System.arraycopy(example.labels(), 0, labels, row * shape.outputs(), shape.outputs());
    size += filled[row] ? 0 : 1;
    filled[row] = true;
  }

  int size() {
    return size;
  }

  /** All {@value #ROWS} rows; those that aren't filled are 0. */
  float[] features() {
    return features;
  }

  /** Rows of labels; after {@link #compact} the first {@link #size} of them count. */
  float[] labels() {
    return labels;
  }

  /** Moves the filled rows of labels, and of predictions for them, to the front. */
  void compact(float[] predictions) {
    int outputs = shape.outputs();
    int to = 0;
    for (int row = 0; size < ROWS && row < ROWS; row++) {
      if (filled[row]) {
        System.arraycopy(labels, row * outputs, labels, to * outputs, outputs);
        System.arraycopy(predictions, row * outputs, predictions, to * outputs, outputs);
        to++;
      }
    }
  }

  void clear() {
    if (size < ROWS) {
      Arrays.fill(features, 0);
    }
    Arrays.fill(filled, false);
    size = 0;
  }
}
