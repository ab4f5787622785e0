package dev.millrace.example;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest labels of one partition, or of each of its keys.
 *
 * <p>Not thread-safe.
 */
final class PartitionLags {

  private static final int NO_KEY = -1;

  private final ExampleShape shape;
  private final boolean byKey;
  private final int mostKeys;

  /** The labels by key, the least recently used first. */
  private final Map<Key, float[]> labels = new LinkedHashMap<>(16, 0.75f, true);

  /** Looks keys up, without a new object for each example. */
  private final Key wanted = new Key();

  PartitionLags(ExampleShape shape, LagSettings settings) {
    this.shape = shape;
    this.byKey = settings.by() == LagSettings.By.KEY;
    this.mostKeys = settings.keys();
  }

  /** Writes the labels before into an example's last features, and takes its own for the next. */
  void complete(Example example) {
    float[] known = of(byKey ? example.key() : null);
    int width = shape.labels();
    System.arraycopy(known, 0, example.features(), shape.recordFeatures(), known.length);
    System.arraycopy(known, 0, known, width, known.length - width);
    System.arraycopy(example.labels(), 0, known, 0, width);
  }

  private float[] of(byte[] key) {
    wanted.set(key);
    float[] known = labels.get(wanted);
    if (known == null) {
      known = new float[shape.labelLags() * shape.labels()];
      Key own = new Key();
      own.set(key);
      labels.put(own, known);
      if (labels.size() > mostKeys) {
        labels.remove(labels.keySet().iterator().next());
      }
    }
    return known;
  }

  /** The least recently used key comes first. */
  void write(DataOutput out) throws IOException {
    out.writeInt(shape.labelLags());
    out.writeInt(shape.labels());
    out.writeInt(labels.size());
    for (Map.Entry<Key, float[]> entry : labels.entrySet()) {
      byte[] key = entry.getKey().bytes;
      out.writeInt(key == null ? NO_KEY : key.length);
      if (key != null) {
        out.write(key);
      }
      for (float label : entry.getValue()) {
        out.writeFloat(label);
      }
    }
  }

  /**
   * Takes over what {@link #write} wrote.
   *
   * @throws InvalidModelException if it is of another shape
   */
  void read(DataInput in) throws IOException {
    int lags = in.readInt();
    int width = in.readInt();
    if (lags != shape.labelLags() || width != shape.labels()) {
      throw new InvalidModelException(
          ("The checkpoint has the last %s labels of %s numbers each, and this job takes %s of %s;"
                  + " submit with those that it was made with")
              .formatted(lags, width, shape.labelLags(), shape.labels()));
    }
    labels.clear();
    for (int left = in.readInt(); left > 0; left--) {
      int length = in.readInt();
      byte[] key = length == NO_KEY ? null : BulkArrays.readBytes(in, length);
      float[] known = of(key);
      for (int i = 0; i < known.length; i++) {
        known[i] = in.readFloat();
      }
    }
  }

  /** A record's key; null for none. */
  private static final class Key {

    private byte[] bytes;
    private int hash;

    private void set(byte[] key) {
      bytes = key;
      hash = Arrays.hashCode(key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
