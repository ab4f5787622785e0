package dev.millrace.evaluation;

import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The loss of {@link Measures}. */
final class MeanLoss implements RowMeasure {

  private final ExampleShape shape;
  private final CompensatedSum sum = new CompensatedSum();

  MeanLoss(ExampleShape shape) {
    this.shape = shape;
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    sum.add(Measures.loss(shape, predictions, labels, at));
  }

  /** Null where there is no example. */
  Double mean(long examples) {
    return Ratios.mean(sum, examples);
  }

  @Override
  public void merge(RowMeasure other) {
    sum.add(((MeanLoss) other).sum);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    sum.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    sum.read(in);
  }
}
