package dev.millrace.example;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A compact record, little-endian: a header of 12 bytes, what its flags announce, the features, the
 * label. docs/formats.md has the table.
 */
final class BinaryFormat implements ExampleFormat {

  static final byte MAGIC = 'M';
  static final byte VERSION = 1;
  static final byte FLOAT32 = 1;
  static final byte UINT8 = 2;

  /** The label is a class number; otherwise it is a vector. */
  static final int CLASS_LABEL = 1;

  static final int HAS_WEIGHT = 2;
  static final int HAS_TIMESTAMP = 4;

  private static final int HEADER = 12;
  private static final int KNOWN_FLAGS = CLASS_LABEL | HAS_WEIGHT | HAS_TIMESTAMP;
  private static final float BYTE_RANGE = 255f;

  private final ExampleShape shape;
  private final byte type;

  BinaryFormat(ExampleShape shape, byte type) {
    this.shape = shape;
    this.type = type;
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    if (value.length < HEADER) {
      throw new InvalidExampleException(
          "a header of %d bytes expected, %d bytes found".formatted(HEADER, value.length));
    }
    expect("magic byte", MAGIC, in.get());
    expect("version", VERSION, in.get());
    expect("type (1 float32, 2 uint8)", type, in.get());
    int flags = in.get() & 0xff;
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw new InvalidExampleException("flags are 0x%02x; known are 0x07".formatted(flags));
    }
    Checks.featureCount(shape, in.getInt());
    int labels = in.getInt();
    boolean classLabel = (flags & CLASS_LABEL) != 0;
    if (classLabel && shape.target() != Target.CLASSIFICATION) {
      throw new InvalidExampleException("a label vector expected, a class number found");
    }
    Checks.labelCount(shape, labels);
    long length = length(flags);
    if (length != value.length) {
      throw new InvalidExampleException(
          "%d bytes expected, %d found".formatted(length, value.length));
    }
    if ((flags & HAS_TIMESTAMP) != 0) {
      into.setTimestamp(in.getLong());
    }
    if ((flags & HAS_WEIGHT) != 0) {
      Checks.setWeight(into, in.getFloat());
    }
    readFeatures(in, value, into);
    if (classLabel) {
      Checks.setClass(into, in.getInt());
    } else {
      in.asFloatBuffer().get(into.labels(), 0, labels);
      Checks.labels(into);
    }
  }

  private void readFeatures(ByteBuffer in, byte[] value, Example into)
      throws InvalidExampleException {
    float[] features = into.features();
    if (type == FLOAT32) {
      in.asFloatBuffer().get(features);
      in.position(in.position() + features.length * Float.BYTES);
      Checks.features(into);
    } else {
      int from = in.position();
      for (int i = 0; i < features.length; i++) {
        features[i] = (value[from + i] & 0xff) / BYTE_RANGE;
      }
      in.position(from + features.length);
    }
  }

  private static void expect(String what, int expected, int found) throws InvalidExampleException {
    if (expected != found) {
      throw new InvalidExampleException(
          "%s %d expected, %d found".formatted(what, expected, found));
    }
  }

  private long length(int flags) {
    return HEADER
        + ((flags & HAS_TIMESTAMP) != 0 ? Long.BYTES : 0)
        + ((flags & HAS_WEIGHT) != 0 ? Float.BYTES : 0)
        + (long) shape.features() * (type == FLOAT32 ? Float.BYTES : 1)
        + ((flags & CLASS_LABEL) != 0 ? Integer.BYTES : (long) shape.outputs() * Float.BYTES);
  }

  @Override
  public byte[] write(Example example) {
    boolean classLabel = shape.target() == Target.CLASSIFICATION;
    int flags =
        (classLabel ? CLASS_LABEL : 0)
            | (example.weight() != 1 ? HAS_WEIGHT : 0)
            | (example.timestamp() != Example.NO_TIMESTAMP ? HAS_TIMESTAMP : 0);
    byte[] value = new byte[Math.toIntExact(length(flags))];
    ByteBuffer out = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put(VERSION).put(type).put((byte) flags);
    out.putInt(shape.features()).putInt(shape.outputs());
    if ((flags & HAS_TIMESTAMP) != 0) {
      out.putLong(example.timestamp());
    }
    if ((flags & HAS_WEIGHT) != 0) {
      out.putFloat(example.weight());
    }
    for (float feature : example.features()) {
      if (type == FLOAT32) {
        out.putFloat(feature);
      } else {
        out.put((byte) Math.round(Math.max(0, Math.min(1, feature)) * BYTE_RANGE));
      }
    }
    if (classLabel) {
      out.putInt(Checks.classOf(example));
    } else {
      for (float label : example.labels()) {
        out.putFloat(label);
      }
    }
    return value;
  }
}
