package dev.millrace.evaluation;

import dev.millrace.model.Measures;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Measures, for each label of several, whether it was given where it belongs: both from 0.5 on. */
final class LabelDecisions implements RowMeasure {

  private static final float HALF = 0.5f;

  private final ExampleShape shape;
  private final long[] actual;
  private final long[] predicted;
  private final long[] truePositives;
  private final long[] exact = new long[1];
  private final Reliability[] reliabilities;

  LabelDecisions(ExampleShape shape) {
    this.shape = shape;
    int outputs = shape.outputs();
    this.actual = new long[outputs];
    this.predicted = new long[outputs];
    this.truePositives = new long[outputs];
    this.reliabilities = new Reliability[outputs];
    for (int i = 0; i < outputs; i++) {
      reliabilities[i] = new Reliability();
    }
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    for (int i = 0; i < actual.length; i++) {
      boolean is = labels[at + i] >= HALF;
      boolean given = predictions[at + i] >= HALF;
      actual[i] += is ? 1 : 0;
      predicted[i] += given ? 1 : 0;
      truePositives[i] += is && given ? 1 : 0;
      reliabilities[i].add(predictions[at + i], is);
    }
    exact[0] += Measures.isCorrect(shape, predictions, labels, at) ? 1 : 0;
  }

  long actual(int output) {
    return actual[output];
  }

  long predicted(int output) {
    return predicted[output];
  }

  long truePositives(int output) {
    return truePositives[output];
  }

  Calibration calibration(int output) {
    return reliabilities[output].result();
  }

  /** Examples whose whole set of labels is right. */
  long exact() {
    return exact[0];
  }

  @Override
  public void merge(RowMeasure measure) {
    LabelDecisions other = (LabelDecisions) measure;
    Counts.add(actual, other.actual);
    Counts.add(predicted, other.predicted);
    Counts.add(truePositives, other.truePositives);
    Counts.add(exact, other.exact);
    for (int i = 0; i < reliabilities.length; i++) {
      reliabilities[i].merge(other.reliabilities[i]);
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Counts.write(actual, out);
    Counts.write(predicted, out);
    Counts.write(truePositives, out);
    Counts.write(exact, out);
    for (Reliability reliability : reliabilities) {
      reliability.write(out);
    }
  }

  @Override
  public void read(DataInput in) throws IOException {
    Counts.read(actual, in);
    Counts.read(predicted, in);
    Counts.read(truePositives, in);
    Counts.read(exact, in);
    for (Reliability reliability : reliabilities) {
      reliability.read(in);
    }
  }
}
