package dev.millrace.dl4j.data;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The examples of one of DL4J's minibatches, as plain arrays, which processes without ND4J have,
 * too: several inputs, and several outputs, are one row, in their order. An example's steps are
 * those that its masks have; masks say nothing else that could be learned from, so an example with
 * another is rejected.
 *
 * <p>Not thread-safe.
 */
public final class MinibatchRows {

  private static final int VERSION = 1;

  private final List<ArrayRows> features;
  private final List<ArrayRows> labels;
  private final List<StepMasks> masks;
  private final float[] weights;
  private final int rows;
  private final int steps;

  /**
   * Takes all of it over.
   *
   * @param weights of examples; null where they all count the same
   */
  MinibatchRows(
      List<ArrayRows> features,
      List<ArrayRows> labels,
      List<StepMasks> masks,
      float[] weights,
      int rows) {
    this.features = features;
    this.labels = labels;
    this.masks = masks;
    this.weights = weights;
    this.rows = rows;
    this.steps = features.stream().mapToInt(ArrayRows::steps).max().orElse(0);
  }

  /** Reads what {@link #write} has written: ND4J isn't needed for it. */
  public static MinibatchRows read(DataInput in) throws IOException {
    WireFormat.readVersion(in, VERSION, MinibatchRows.class);
    int rows = in.readInt();
    List<ArrayRows> features = all(in, ArrayRows::read);
    List<ArrayRows> labels = all(in, ArrayRows::read);
    List<StepMasks> masks = all(in, StepMasks::read);
    float[] weights = in.readBoolean() ? BulkArrays.readFloats(in) : null;
    return new MinibatchRows(features, labels, masks, weights, rows);
  }

  private static <T> List<T> all(DataInput in, Reading<T> one) throws IOException {
    int count = in.readInt();
    List<T> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(one.read(in));
    }
    return all;
  }

  private interface Reading<T> {

    T read(DataInput in) throws IOException;
  }

  /** Writes all of it. */
  public void write(DataOutput out) throws IOException {
    out.writeByte(VERSION);
    out.writeInt(rows);
    out.writeInt(features.size());
    for (ArrayRows array : features) {
      array.write(out);
    }
    out.writeInt(labels.size());
    for (ArrayRows array : labels) {
      array.write(out);
    }
    out.writeInt(masks.size());
    for (StepMasks mask : masks) {
      mask.write(out);
    }
    out.writeBoolean(weights != null);
    if (weights != null) {
      BulkArrays.writeFloats(out, weights);
    }
  }

  /** Examples in it. */
  public int rows() {
    return rows;
  }

  /** The most steps of an example; 0 where they are no sequences. */
  public int steps() {
    return steps;
  }

  /** Whether each step has labels of its own. */
  public boolean labelPerStep() {
    return labels.stream().anyMatch(array -> array.steps() > 0);
  }

  /** Features of an example, or of each step, by input. */
  public List<Integer> featureWidths() {
    return features.stream().map(ArrayRows::width).toList();
  }

  /** Labels of an example, or of each step, by output. */
  public List<Integer> labelWidths() {
    return labels.stream().map(ArrayRows::width).toList();
  }

  /** Returns a number that is most likely another for other examples, or for another order. */
  public int fingerprint() {
    int fingerprint = rows;
    for (ArrayRows array : features) {
      fingerprint = 31 * fingerprint + array.fingerprint(rows);
    }
    for (ArrayRows array : labels) {
      fingerprint = 31 * fingerprint + array.fingerprint(rows);
    }
    return fingerprint;
  }

  /** Copies one example. Its place stays as it is. */
  public void copy(int row, DataRow target) {
    target.problem = null;
    target.weight = weights == null ? 1 : weights[row];
    int length = steps;
    for (StepMasks mask : masks) {
      int masked = mask.steps(row);
      if (masked == StepMasks.WITH_GAPS) {
        target.problem = mask.problem(row);
        return;
      }
      length = Math.min(length, masked);
    }
    target.features = copy(features, row, length, target.features);
    target.labels = copy(labels, row, labelPerStep() ? length : 0, target.labels);
  }

  private static float[] copy(List<ArrayRows> arrays, int row, int steps, float[] used) {
    int count = Math.max(1, steps);
    int width = arrays.stream().mapToInt(ArrayRows::width).sum();
    float[] target = used.length == count * width ? used : new float[count * width];
    int to = 0;
    for (int step = 0; step < count; step++) {
      for (ArrayRows array : arrays) {
        to = array.copy(row, step, target, to);
      }
    }
    return target;
  }
}
