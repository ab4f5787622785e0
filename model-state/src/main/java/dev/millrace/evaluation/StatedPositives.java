package dev.millrace.evaluation;

import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where examples are positive or negative: how many are positive, and how many were predicted. Of
 * others it keeps nothing.
 */
final class StatedPositives implements RowMeasure {

  private static final float HALF = 0.5f;

  /** Negative where examples are neither. */
  private final int output;

  private final long[] positives = new long[1];
  private final CompensatedSum stated = new CompensatedSum();

  StatedPositives(ExampleShape shape) {
    this.output = shape.positiveOutput();
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    if (output >= 0) {
      positives[0] += labels[at + output] >= HALF ? 1 : 0;
      stated.add(predictions[at + output]);
    }
  }

  /** Returns what {@link Measures#normalizedEntropy} does; null where it isn't defined. */
  Double normalizedEntropy(Double meanLoss, long examples) {
    return output < 0 || examples == 0
        ? null
        : defined(meanLoss / Measures.entropy(positives[0], examples));
  }

  /** Returns what {@link Measures#calibrationRatio()} does; null where it isn't defined. */
  Double calibrationRatio() {
    return output < 0 ? null : defined(Measures.calibrationRatio(stated.value(), positives[0]));
  }

  private static Double defined(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  @Override
  public void merge(RowMeasure measure) {
    StatedPositives other = (StatedPositives) measure;
    Counts.add(positives, other.positives);
    stated.add(other.stated);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Counts.write(positives, out);
    stated.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    Counts.read(positives, in);
    stated.read(in);
  }
}
