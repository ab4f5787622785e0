package dev.millrace.model.dl4j;

import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The way of one array's values out of ND4J, to their places in rows: of an output's to rows of
 * predictions, of an input's gradient to rows of features.
 *
 * <p>Native memory is used again and again. Belongs to the network's thread.
 */
final class OutputRows implements AutoCloseable {

  private final ArrayPart part;
  private final int example;
  private final int step;
  private final boolean whole;
  private final RowArray rows;
  private final ReusedArray values = new ReusedArray();
  private float[] scratch = {};

  /**
   * @param example values of a row
   * @param step values of each step in it; as many as of the row where examples have no steps
   */
  OutputRows(ArrayPart part, int example, int step) {
    this.part = part;
    this.example = example;
    this.step = step;
    this.whole = part.values().length() == example;
    this.rows = new RowArray(part.rowShape());
  }

  /**
   * Copies what the network gives: [examples, values], or [examples, values, steps].
   *
   * @param target rows; what this array hasn't stays as it is
   */
  void extract(INDArray output, BatchRows batch, float[] target) {
    if (whole && !part.isSequence()) {
      rows.extract(output, target, batch.count());
    } else if (!part.isSequence()) {
      scatter(output, batch, 0, target);
    } else {
      // As a step has it: all examples' first steps, then all second ones.
      INDArray byStep = output.permute(2, 0, 1);
      scatter(byStep, batch, 0, target);
    }
  }

  /**
   * Copies rows of some neighbouring steps: first those of all examples' first one.
   *
   * @param first which step that is
   * @return how many steps there were
   */
  int extractSteps(INDArray stepRows, BatchRows batch, int first, float[] target) {
    if (whole && !part.isSequence()) {
      rows.extract(stepRows, target, batch.count());
      return 1;
    }
    return scatter(stepRows, batch, first, target);
  }

  private int scatter(INDArray stepRows, BatchRows batch, int first, float[] target) {
    int length = Math.toIntExact(stepRows.length());
    if (scratch.length < length) {
      scratch = new float[length];
    }
    values.extract(stepRows, scratch);
    int width = part.values().length();
    int steps = length / (batch.count() * width);
    for (int time = 0, from = 0; time < steps; time++) {
      for (int row = 0; row < batch.count(); row++, from += width) {
        if (!part.isSequence() || first + time < batch.steps(row)) {
          int to = row * example + (first + time) * step + part.values().from();
          System.arraycopy(scratch, from, target, to, width);
        }
      }
    }
    return steps;
  }

  @Override
  public void close() {
    rows.close();
    values.close();
  }
}
