package dev.millrace.evaluation;

import dev.millrace.model.Measures;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** How often each class was taken for each other one. */
final class Confusion implements RowMeasure {

  /**
   * The most classes that pairs are counted of. With more only sums are kept, which grow with their
   * number alone.
   */
  static final int MOST_CLASSES = 1_000;

  private final int classes;
  private final long[] actual;
  private final long[] predicted;
  private final long[] correct;

  /** Rows of actual classes, columns of predicted ones; of length 0 with too many classes. */
  private final long[] cells;

  Confusion(int classes) {
    this.classes = classes;
    this.actual = new long[classes];
    this.predicted = new long[classes];
    this.correct = new long[classes];
    this.cells = new long[classes > MOST_CLASSES ? 0 : classes * classes];
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    int is = Measures.greatest(labels, at, classes);
    int taken = Measures.greatest(predictions, at, classes);
    actual[is]++;
    predicted[taken]++;
    correct[is] += is == taken ? 1 : 0;
    if (cells.length > 0) {
      cells[is * classes + taken]++;
    }
  }

  long actual(int label) {
    return actual[label];
  }

  long predicted(int label) {
    return predicted[label];
  }

  long correct(int label) {
    return correct[label];
  }

  long correct() {
    return Counts.sum(correct);
  }

  /** One row for each actual class; null with more than {@value #MOST_CLASSES} of them. */
  long[][] matrix() {
    if (cells.length == 0) {
      return null;
    }
    long[][] rows = new long[classes][];
    for (int row = 0; row < classes; row++) {
      rows[row] = Arrays.copyOfRange(cells, row * classes, (row + 1) * classes);
    }
    return rows;
  }

  @Override
  public void merge(RowMeasure measure) {
    Confusion other = (Confusion) measure;
    Counts.add(actual, other.actual);
    Counts.add(predicted, other.predicted);
    Counts.add(correct, other.correct);
    Counts.add(cells, other.cells);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Counts.write(actual, out);
    Counts.write(predicted, out);
    Counts.write(correct, out);
    Counts.write(cells, out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    Counts.read(actual, in);
    Counts.read(predicted, in);
    Counts.read(correct, in);
    Counts.read(cells, in);
  }
}
