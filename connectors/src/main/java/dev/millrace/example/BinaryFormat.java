package dev.millrace.example;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;

/**
 * The formats {@code float32} and {@code uint8}: a little-endian header of 16 bytes, features,
 * labels, and, as its flags say, weight and timestamp. It keeps no id.
 *
 * <p>Header: magic "MRXB", version (1 byte), {@linkplain FeatureType type} (1 byte), flags (2
 * bytes), feature count (int32), label count (int32). A class label is an int32 and counts as one
 * label; a label vector is float32. The weight is a float32, the timestamp an int64 of milliseconds
 * since the epoch.
 */
final class BinaryFormat implements ExampleFormat {

  static final int MAGIC = 'M' | 'R' << 8 | 'X' << 16 | 'B' << 24;
  static final int VERSION = 1;
  static final int CLASS_LABEL = 1;
  static final int LABEL_VECTOR = 2;
  static final int WEIGHT = 4;
  static final int TIMESTAMP = 8;
  static final int HEADER_BYTES = 16;

  private static final int LABELS = CLASS_LABEL | LABEL_VECTOR;
  private static final int ALL_FLAGS = LABELS | WEIGHT | TIMESTAMP;

  private final FeatureType type;
  private final ExampleRules rules;

  /** How many the record that is read has. */
  private transient long labels;

  BinaryFormat(FeatureType type, ExampleRules rules) {
    this.type = type;
    this.rules = rules;
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    if (value.length < HEADER_BYTES) {
      throw new InvalidExampleException(
          "a header of %d bytes expected, %d found".formatted(HEADER_BYTES, value.length));
    }
    ByteBuffer buffer = ByteBuffer.wrap(value).order(LITTLE_ENDIAN);
    int flags = readHeader(buffer);
    long expected = length(flags, labels);
    if (value.length != expected) {
      throw new InvalidExampleException(
          "%d bytes expected, %d found".formatted(expected, value.length));
    }
    type.read(buffer, into.features());
    rules.checkFeatures(into.features());
    if (!rules.isLabelled()) {
      buffer.position(buffer.position() + (int) labels * Float.BYTES);
    } else if ((flags & CLASS_LABEL) != 0) {
      rules.setClass(buffer.getInt(), into);
    } else {
      FeatureType.FLOAT32.read(buffer, into.labels());
      rules.checkLabels(into.labels());
    }
    if ((flags & WEIGHT) != 0) {
      rules.setWeight(buffer.getFloat(), into);
    }
    if ((flags & TIMESTAMP) != 0) {
      rules.setTimestamp(buffer.getLong(), into);
    }
  }

  /** The header's flags, if all else in it is as expected. */
  private int readHeader(ByteBuffer buffer) throws InvalidExampleException {
    int magic = buffer.getInt();
    if (magic != MAGIC) {
      throw new InvalidExampleException(
          "magic 0x%08x (\"MRXB\") expected, 0x%08x found".formatted(MAGIC, magic));
    }
    expect("version", VERSION, buffer.get());
    expect("type", type.code(), buffer.get());
    int flags = Short.toUnsignedInt(buffer.getShort());
    if ((flags & ~ALL_FLAGS) != 0) {
      throw new InvalidExampleException("flags 0x%04x are not known".formatted(flags & ~ALL_FLAGS));
    }
    int kinds = Integer.bitCount(flags & LABELS);
    if (kinds > 1 || (kinds == 0 && rules.isLabelled())) {
      throw new InvalidExampleException(
          "flags 0x%04x: either a class label or a label vector expected".formatted(flags));
    }
    rules.checkFeatureCount(Integer.toUnsignedLong(buffer.getInt()));
    if ((flags & CLASS_LABEL) != 0 && rules.isLabelled() && !rules.isClassification()) {
      throw new InvalidExampleException("a label vector expected, a class label found");
    }
    labels = Integer.toUnsignedLong(buffer.getInt());
    checkLabelCount(flags);
    return flags;
  }

  private void checkLabelCount(int flags) throws InvalidExampleException {
    if ((flags & LABELS) == 0 && labels != 0) {
      throw new InvalidExampleException("0 labels expected, %d found".formatted(labels));
    }
    if ((flags & CLASS_LABEL) != 0 && labels != 1) {
      throw new InvalidExampleException("1 class label expected, %d found".formatted(labels));
    }
    if ((flags & LABEL_VECTOR) != 0 && rules.isLabelled()) {
      rules.checkLabelCount(labels);
    }
  }

  private static void expect(String what, int expected, byte found) throws InvalidExampleException {
    if (Byte.toUnsignedInt(found) != expected) {
      throw new InvalidExampleException(
          "%s %d expected, %d found".formatted(what, expected, Byte.toUnsignedInt(found)));
    }
  }

  /** Size of a whole record; labels take four bytes each. */
  private long length(int flags, long labelCount) {
    return HEADER_BYTES
        + (long) rules.shape().features() * type.bytes()
        + labelCount * Float.BYTES
        + ((flags & WEIGHT) != 0 ? Float.BYTES : 0)
        + ((flags & TIMESTAMP) != 0 ? Long.BYTES : 0);
  }

  @Override
  public byte[] write(Example example) {
    boolean weighted = example.weight() != 1;
    boolean timed = example.timestamp() != Example.NO_TIMESTAMP;
    int count = !rules.isLabelled() ? 0 : rules.isClassification() ? 1 : rules.shape().outputs();
    int flags =
        (count == 0 ? 0 : rules.isClassification() ? CLASS_LABEL : LABEL_VECTOR)
            | (weighted ? WEIGHT : 0)
            | (timed ? TIMESTAMP : 0);
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.toIntExact(length(flags, count))).order(LITTLE_ENDIAN);
    buffer.putInt(MAGIC).put((byte) VERSION).put((byte) type.code()).putShort((short) flags);
    buffer.putInt(rules.shape().features());
    buffer.putInt(count);
    type.write(example.features(), buffer);
    if ((flags & CLASS_LABEL) != 0) {
      buffer.putInt(rules.classOf(example));
    } else if ((flags & LABEL_VECTOR) != 0) {
      FeatureType.FLOAT32.write(example.labels(), buffer);
    }
    if (weighted) {
      buffer.putFloat(example.weight());
    }
    if (timed) {
      buffer.putLong(example.timestamp());
    }
    return buffer.array();
  }
}
