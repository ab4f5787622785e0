package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.Targets;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Nodes of values that are wanted as they are. Times become milliseconds since the epoch. */
final class ScalarNodes {

  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final int UUID_BYTES = 16;

  /** A decimal may have so many: reading one takes the square of its length. */
  private static final int MOST_DECIMAL_BYTES = 1024;

  private static final double BITS_PER_DIGIT = Math.log(10) / Math.log(2);

  private ScalarNodes() {}

  /**
   * Reads a value.
   *
   * @param schema of no record, array, map or union
   * @param targets where it goes
   */
  static AvroNode of(Schema schema, Targets targets) {
    LogicalType logical = schema.getLogicalType();
    return switch (schema.getType()) {
      case NULL -> (in, into) -> {};
      case BOOLEAN -> (in, into) -> targets.setBoolean(into, in.readBoolean());
      case INT -> {
        long factor = factor(logical);
        yield (in, into) -> targets.setLong(into, in.readInt() * factor);
      }
      case LONG -> ofLong(divisor(logical), targets);
      case FLOAT -> (in, into) -> targets.setDouble(into, in.readFloat());
      case DOUBLE -> (in, into) -> targets.setDouble(into, in.readDouble());
      case STRING -> (in, into) -> targets.setText(into, in.readText());
      case ENUM -> ofEnum(schema.getEnumSymbols(), targets);
      case BYTES ->
          logical instanceof LogicalTypes.Decimal decimal
              ? (in, into) -> readDecimal(in, into, targets, in.readLength(), decimal)
              : (in, into) -> {
                in.skip(in.readLength());
                targets.setOther(into, "bytes");
              };
      case FIXED -> ofFixed(schema, logical, targets);
      default -> throw new IllegalArgumentException(schema.getType() + " is no scalar");
    };
  }

  private static AvroNode ofLong(long divisor, Targets targets) {
    return divisor == 1
        ? (in, into) -> targets.setLong(into, in.readLong())
        : (in, into) -> targets.setLong(into, Math.floorDiv(in.readLong(), divisor));
  }

  /** Returns what a day is multiplied with to make milliseconds of it; 1 for any other number. */
  static long factor(LogicalType logicalOrNull) {
    return meaning(logicalOrNull).equals("date") ? MILLIS_PER_DAY : 1;
  }

  /** Returns what a time is divided by to make milliseconds of it; 1 for any other number. */
  static long divisor(LogicalType logicalOrNull) {
    return switch (meaning(logicalOrNull)) {
      case "timestamp-micros", "local-timestamp-micros", "time-micros" -> 1_000;
      case "timestamp-nanos", "local-timestamp-nanos" -> 1_000_000;
      default -> 1;
    };
  }

  private static AvroNode ofEnum(List<String> symbols, Targets targets) {
    String[] texts = symbols.toArray(String[]::new);
    return (in, into) ->
        targets.setText(into, texts[in.readChoice(texts.length, "the number of an enum's symbol")]);
  }

  private static AvroNode ofFixed(Schema schema, LogicalType logical, Targets targets) {
    int size = schema.getFixedSize();
    if (logical instanceof LogicalTypes.Decimal decimal) {
      return (in, into) -> readDecimal(in, into, targets, size, decimal);
    }
    if (isUuid(schema)) {
      return (in, into) -> {
        int from = in.position();
        in.skip(size);
        targets.setText(into, uuid(in.value(), from).toString());
      };
    }
    return (in, into) -> {
      in.skip(size);
      targets.setOther(into, "bytes");
    };
  }

  private static String meaning(LogicalType logicalOrNull) {
    return logicalOrNull == null ? "" : logicalOrNull.getName();
  }

  /** Whether bytes are a UUID. */
  static boolean isUuid(Schema schema) {
    return schema.getType() == Schema.Type.FIXED
        && schema.getFixedSize() == UUID_BYTES
        && meaning(schema.getLogicalType()).equals("uuid");
  }

  static UUID uuid(byte[] value, int from) {
    return new UUID(bits(value, from), bits(value, from + Long.BYTES));
  }

  private static long bits(byte[] value, int from) {
    long bits = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      bits = (bits << Byte.SIZE) | (value[i] & 0xff);
    }
    return bits;
  }

  private static void readDecimal(
      AvroInput in, FieldValues into, Targets targets, int length, LogicalTypes.Decimal type)
      throws IOException, InvalidExampleException {
    BigDecimal decimal = decimal(in, length, type);
    if (decimal.scale() == 0) {
      targets.setWhole(into, decimal.unscaledValue());
    } else {
      targets.setDouble(into, decimal.doubleValue());
    }
  }

  /** Reads a decimal of so many bytes. */
  static BigDecimal decimal(AvroInput in, int length, LogicalTypes.Decimal type)
      throws IOException, InvalidExampleException {
    if (length > MOST_DECIMAL_BYTES) {
      throw new InvalidExampleException(
          "a decimal of %s bytes, where at most %s are read".formatted(length, MOST_DECIMAL_BYTES));
    }
    int from = in.position();
    in.skip(length);
    // No bytes are no number; of a corrupt length they are.
    BigInteger unscaled = length == 0 ? BigInteger.ZERO : new BigInteger(in.value(), from, length);
    if (unscaled.bitLength() > Math.ceil(type.getPrecision() * BITS_PER_DIGIT)) {
      throw new InvalidExampleException(
          "a decimal of more than the %s digits that its schema allows"
              .formatted(type.getPrecision()));
    }
    return new BigDecimal(unscaled, type.getScale());
  }
}
