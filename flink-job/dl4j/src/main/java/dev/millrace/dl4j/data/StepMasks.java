package dev.millrace.dl4j.data;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A mask {@code [examples, steps]}: 1 where a step is, 0 behind the sequence's end. */
final class StepMasks {

  /** Steps are left out before the last one. */
  static final int WITH_GAPS = -1;

  private final float[] values;
  private final int steps;

  /** Takes the values over, row after row. */
  StepMasks(float[] values, int steps) {
    this.values = values;
    this.steps = steps;
  }

  static StepMasks read(DataInput in) throws IOException {
    int steps = in.readInt();
    return new StepMasks(BulkArrays.readFloats(in), steps);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(steps);
    BulkArrays.writeFloats(out, values);
  }

  /** Steps of an example's sequence, or {@link #WITH_GAPS}. */
  int steps(int row) {
    int from = row * steps;
    int length = steps;
    while (length > 0 && values[from + length - 1] == 0) {
      length--;
    }
    for (int i = from; i < from + length; i++) {
      if (values[i] != 1) {
        return WITH_GAPS;
      }
    }
    return length;
  }

  /** Says what {@link #WITH_GAPS} means. */
  String problem(int row) {
    int from = row * steps;
    int step = 0;
    while (values[from + step] == 1) {
      step++;
    }
    return ("the mask of the sequence is %s at step %s, and steps follow: a sequence is learned from its first step to its"
            + " last; for a label of the last step alone end the network in LastTimeStep and an OutputLayer")
        .formatted(values[from + step], step);
  }
}
