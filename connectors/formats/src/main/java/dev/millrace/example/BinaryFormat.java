package dev.millrace.example;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

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

  private transient int features;

  BinaryFormat(FeatureType type, ExampleRules rules) {
    this.type = type;
    this.rules = rules;
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    if (value.length < HEADER_BYTES) {
      throw new InvalidExampleException(
          "a header of %s bytes expected, %s found".formatted(HEADER_BYTES, value.length));
    }
    ByteBuffer buffer = ByteBuffer.wrap(value).order(LITTLE_ENDIAN);
    int flags = readHeader(buffer);
    long expected = length(flags, features, labels);
    if (value.length != expected) {
      throw new InvalidExampleException(
          "%s bytes expected, %s found".formatted(expected, value.length));
    }
    readFeatures(buffer, into);
    if (!rules.isLabelled()) {
      buffer.position(buffer.position() + (int) labels * Float.BYTES);
    } else if (isStructured()) {
      readLabelRows(buffer, (flags & CLASS_LABEL) != 0, into);
    } else if ((flags & CLASS_LABEL) != 0) {
      rules.setClass(buffer.getInt(), into);
    } else {
      FeatureType.FLOAT32.read(buffer, into.labels(), into.labels().length);
      rules.checkLabels(into.labels());
    }
    if ((flags & WEIGHT) != 0) {
      rules.setWeight(buffer.getFloat(), into);
    }
    if ((flags & TIMESTAMP) != 0) {
      rules.setTimestamp(buffer.getLong(), into);
    }
  }

  private void readFeatures(ByteBuffer buffer, Example into) throws InvalidExampleException {
    ExampleShape shape = rules.shape();
    type.read(buffer, into.features(), features);
    if (shape.structure().isSequence()) {
      into.setSteps(features / shape.width());
      Arrays.fill(into.features(), features, shape.features(), 0f);
    }
    rules.checkFeatures(into.features());
  }

  /** Whether labels are more than one class or one array. */
  private boolean isStructured() {
    ExampleStructure structure = rules.shape().structure();
    return structure.labelPerStep() || !structure.outputs().isEmpty();
  }

  private void readLabelRows(ByteBuffer buffer, boolean classes, Example into)
      throws InvalidExampleException {
    int outputs = rules.shape().outputs();
    int rows = rowsOf(into);
    float[] values = into.labels();
    if (!classes) {
      FeatureType.FLOAT32.read(buffer, values, rows * outputs);
    }
    for (int at = 0; at < rows * outputs; at += outputs) {
      if (classes) {
        rules.setClass(buffer.getInt(), values, at);
      } else {
        rules.checkLabelRow(values, at);
      }
    }
    Arrays.fill(values, rows * outputs, values.length, 0f);
  }

  /** Returns how many times an example has labels. */
  private int rowsOf(Example example) {
    return rules.shape().structure().labelPerStep() ? example.steps() : 1;
  }

  /** The header's flags, if all else in it is as expected. */
  private int readHeader(ByteBuffer buffer) throws InvalidExampleException {
    int magic = buffer.getInt();
    if (magic != MAGIC) {
      throw new InvalidExampleException(
          String.format(
              Locale.ROOT, "magic 0x%08x (\"MRXB\") expected, 0x%08x found", MAGIC, magic));
    }
    expect("version", VERSION, buffer.get());
    expect("type", type.code(), buffer.get());
    int flags = Short.toUnsignedInt(buffer.getShort());
    if ((flags & ~ALL_FLAGS) != 0) {
      throw new InvalidExampleException(
          String.format(Locale.ROOT, "flags 0x%04x are not known", flags & ~ALL_FLAGS));
    }
    int kinds = Integer.bitCount(flags & LABELS);
    if (kinds > 1 || (kinds == 0 && rules.isLabelled())) {
      throw new InvalidExampleException(
          String.format(
              Locale.ROOT, "flags 0x%04x: either a class label or a label vector expected", flags));
    }
    readFeatureCount(Integer.toUnsignedLong(buffer.getInt()));
    if ((flags & CLASS_LABEL) != 0 && rules.isLabelled() && !rules.isClassification()) {
      throw new InvalidExampleException("a label vector expected, a class label found");
    }
    labels = Integer.toUnsignedLong(buffer.getInt());
    checkLabelCount(flags);
    return flags;
  }

  private void readFeatureCount(long count) throws InvalidExampleException {
    ExampleShape shape = rules.shape();
    if (!shape.structure().isSequence()) {
      rules.checkFeatureCount(count);
    } else if (count % shape.width() != 0 || count > shape.features()) {
      throw new InvalidExampleException(
          "a multiple of %s features up to %s expected, %s found"
              .formatted(shape.width(), shape.features(), count));
    } else {
      rules.checkSteps((int) (count / shape.width()));
    }
    features = (int) count;
  }

  private void checkLabelCount(int flags) throws InvalidExampleException {
    if ((flags & LABELS) == 0 && labels != 0) {
      throw new InvalidExampleException("0 labels expected, %s found".formatted(labels));
    }
    int steps = rules.shape().structure().labelPerStep() ? features / rules.shape().width() : 1;
    if ((flags & CLASS_LABEL) != 0 && labels != steps) {
      throw new InvalidExampleException(
          "%s class label%s expected, %s found".formatted(steps, steps == 1 ? "" : "s", labels));
    }
    if ((flags & LABEL_VECTOR) != 0 && rules.isLabelled()) {
      if (steps == 1) {
        rules.checkLabelCount(labels);
      } else if (labels != (long) steps * rules.shape().outputs()) {
        throw new InvalidExampleException(
            "%s labels expected, %s found".formatted(steps * rules.shape().outputs(), labels));
      }
    }
  }

  private static void expect(String what, int expected, byte found) throws InvalidExampleException {
    if (Byte.toUnsignedInt(found) != expected) {
      throw new InvalidExampleException(
          "%s %s expected, %s found".formatted(what, expected, Byte.toUnsignedInt(found)));
    }
  }

  /** Size of a whole record; labels take four bytes each. */
  private long length(int flags, long featureCount, long labelCount) {
    return HEADER_BYTES
        + featureCount * type.bytes()
        + labelCount * Float.BYTES
        + ((flags & WEIGHT) != 0 ? Float.BYTES : 0)
        + ((flags & TIMESTAMP) != 0 ? Long.BYTES : 0);
  }

  @Override
  public byte[] write(Example example) {
    boolean weighted = example.weight() != 1;
    boolean timed = example.timestamp() != Example.NO_TIMESTAMP;
    ExampleShape shape = rules.shape();
    int given = shape.structure().isSequence() ? example.steps() * shape.width() : shape.features();
    int rows = rowsOf(example);
    int count = !rules.isLabelled() ? 0 : rules.isClassification() ? rows : rows * shape.outputs();
    int flags =
        (count == 0 ? 0 : rules.isClassification() ? CLASS_LABEL : LABEL_VECTOR)
            | (weighted ? WEIGHT : 0)
            | (timed ? TIMESTAMP : 0);
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.toIntExact(length(flags, given, count))).order(LITTLE_ENDIAN);
    buffer.putInt(MAGIC).put((byte) VERSION).put((byte) type.code()).putShort((short) flags);
    buffer.putInt(given);
    buffer.putInt(count);
    type.write(example.features(), given, buffer);
    if ((flags & CLASS_LABEL) != 0) {
      for (int row = 0; row < rows; row++) {
        buffer.putInt(
            ExampleRules.classOf(example.labels(), row * shape.outputs(), shape.outputs()));
      }
    } else if ((flags & LABEL_VECTOR) != 0) {
      FeatureType.FLOAT32.write(example.labels(), count, buffer);
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
