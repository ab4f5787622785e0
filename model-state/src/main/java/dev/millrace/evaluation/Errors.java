package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The errors of every output of a regression. */
final class Errors implements RowMeasure {

  private final OutputErrors[] outputs;

  Errors(int count) {
    this.outputs = new OutputErrors[count];
    for (int i = 0; i < count; i++) {
      outputs[i] = new OutputErrors();
    }
  }

  OutputErrors of(int output) {
    return outputs[output];
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    for (int i = 0; i < outputs.length; i++) {
      outputs[i].add(predictions[at + i], labels[at + i]);
    }
  }

  @Override
  public void merge(RowMeasure other) {
    for (int i = 0; i < outputs.length; i++) {
      outputs[i].merge(((Errors) other).outputs[i]);
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    for (OutputErrors output : outputs) {
      output.write(out);
    }
  }

  @Override
  public void read(DataInput in) throws IOException {
    for (OutputErrors output : outputs) {
      output.read(in);
    }
  }
}
