package dev.millrace.dl4j.data;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The rows of one array of a minibatch, as floats: of each example all values, row-major; of a
 * sequence those of its steps, one after the other.
 */
final class ArrayRows {

  private static final int LOOKED_AT = 16;

  private final float[] values;
  private final int width;
  private final int steps;

  /**
   * Takes the values over.
   *
   * @param width values of an example, or of one of its steps
   * @param steps of each example; 0 where they are no sequences
   */
  ArrayRows(float[] values, int width, int steps) {
    this.values = values;
    this.width = width;
    this.steps = steps;
  }

  static ArrayRows read(DataInput in) throws IOException {
    int width = in.readInt();
    int steps = in.readInt();
    return new ArrayRows(BulkArrays.readFloats(in), width, steps);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(width);
    out.writeInt(steps);
    BulkArrays.writeFloats(out, values);
  }

  /** Values of an example, or of one of its steps. */
  int width() {
    return width;
  }

  /** Steps of each example; 0 where they are no sequences. */
  int steps() {
    return steps;
  }

  /**
   * Copies the values of one step, or of the example where it is no sequence.
   *
   * @return where the next values go
   */
  int copy(int row, int step, float[] target, int to) {
    int from = (row * Math.max(1, steps) + (steps == 0 ? 0 : step)) * width;
    System.arraycopy(values, from, target, to, width);
    return to + width;
  }

  /** Looks at some values of each row alone: it is asked for each minibatch. */
  int fingerprint(int rows) {
    int fingerprint = 1;
    int step = Math.max(1, values.length / rows / LOOKED_AT);
    for (int i = 0; i < values.length; i += step) {
      fingerprint = 31 * fingerprint + Float.floatToIntBits(values[i]);
    }
    return fingerprint;
  }
}
