package dev.millrace.exchange.steering;

import dev.millrace.model.Minibatch;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The features of the first examples behind a contribution, as they came: at most 16 rows, and
 * 4,096 numbers, but one row at least.
 *
 * <p>Not thread-safe.
 */
public final class FeatureSample implements Serializable {

  public static final WireFormat<FeatureSample> WIRE = new SampleWire();

  private static final int MOST_ROWS = 16;
  private static final int MOST_NUMBERS = 4_096;

  private final int features;
  private int rows;
  private float[] values = {};

  /** Begins with no example; {@code features} is 0 where none are taken. */
  public FeatureSample(int features) {
    this.features = features;
  }

  private int most() {
    return features == 0 ? 0 : Math.max(1, Math.min(MOST_ROWS, MOST_NUMBERS / features));
  }

  /** Takes fresh examples, as long as there is room. */
  public void add(Minibatch minibatch) {
    take(minibatch.features(), minibatch.fresh());
  }

  /** Takes another's examples, as long as there is room. */
  public void addAll(FeatureSample other) {
    if (other.features == features) {
      take(other.values, other.rows);
    }
  }

  private void take(float[] from, int available) {
    int taken = Math.min(available, most() - rows);
    if (taken > 0) {
      values = Arrays.copyOf(values, (rows + taken) * features);
      System.arraycopy(from, 0, values, rows * features, taken * features);
      rows += taken;
    }
  }

  public int features() {
    return features;
  }

  public int rows() {
    return rows;
  }

  /** A feature of an example, both counted from 0; NaN where it has none. */
  public float get(int row, int feature) {
    return values[row * features + feature];
  }

  private static final class SampleWire implements WireFormat<FeatureSample>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(FeatureSample sample, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(sample.features);
      out.writeInt(sample.rows);
      BulkArrays.writeFloats(out, sample.values);
    }

    @Override
    public FeatureSample read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, FeatureSample.class);
      FeatureSample sample = new FeatureSample(in.readInt());
      sample.rows = in.readInt();
      sample.values = BulkArrays.readFloats(in);
      return sample;
    }
  }
}
