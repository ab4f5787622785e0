package dev.millrace.evaluation;

import dev.millrace.model.Measures;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The probability of the predicted class, against whether it is the right one. */
final class TopConfidence implements RowMeasure {

  private final int classes;
  private final Reliability reliability = new Reliability();

  TopConfidence(int classes) {
    this.classes = classes;
  }

  Calibration result() {
    return reliability.result();
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    int predicted = Measures.greatest(predictions, at, classes);
    reliability.add(
        predictions[at + predicted], predicted == Measures.greatest(labels, at, classes));
  }

  @Override
  public void merge(RowMeasure other) {
    reliability.merge(((TopConfidence) other).reliability);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    reliability.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    reliability.read(in);
  }
}
