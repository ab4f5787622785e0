package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.fields.FieldValues;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Elements as bytes, little-endian, one behind the other; before a text stand four bytes with its
 * length. NaN is a missing number.
 */
final class BinaryData implements TensorData {

  private final String where;
  private final ByteBuffer bytes;
  private Datatype type;
  private int count;
  private List<String> texts = List.of();

  /**
   * @param where it stands in the request, for messages
   * @param bytes all of it; they aren't changed
   */
  BinaryData(String where, ByteBuffer bytes) {
    this.where = where;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void require(int[] shape, Datatype datatype, boolean mayMiss)
      throws RefusedRequestException {
    type = datatype;
    long all = Arrays.stream(shape).asLongStream().reduce(1, Math::multiplyExact);
    if (type == Datatype.BYTES) {
      texts = readTexts(all);
    } else if (type == Datatype.FP16) {
      throw RefusedRequestException.bad(
          "%s is binary data of FP16, which isn't taken; send FP32".formatted(where));
    } else if (bytes.remaining() != all * type.size()) {
      throw RefusedRequestException.bad(
          "%s has %s bytes, and %s elements of %s have %s; send as many"
              .formatted(where, bytes.remaining(), all, type, all * type.size()));
    }
    count = (int) all;
    if (type == Datatype.FP32 || type == Datatype.FP64) {
      requireNumbers(mayMiss);
    }
  }

  private List<String> readTexts(long all) throws RefusedRequestException {
    ByteBuffer rest = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    List<String> found = new ArrayList<>();
    while (rest.hasRemaining()) {
      int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
      if (length < 0 || length > rest.remaining() || found.size() == all) {
        throw RefusedRequestException.bad(
            "%s has no %s texts, each behind four bytes with its length; send them so"
                .formatted(where, all));
      }
      ByteBuffer text = rest.slice().limit(length);
      rest.position(rest.position() + length);
      try {
        found.add(UTF_8.newDecoder().decode(text).toString());
      } catch (CharacterCodingException e) {
        throw RefusedRequestException.bad(
            "%s has a text as element %s that isn't UTF-8; encode it so"
                .formatted(where, found.size()));
      }
    }
    if (found.size() != all) {
      throw RefusedRequestException.bad(
          "%s has %s texts, and the shape asks for %s; send as many"
              .formatted(where, found.size(), all));
    }
    return found;
  }

  private void requireNumbers(boolean mayMiss) throws RefusedRequestException {
    for (int i = 0; i < count; i++) {
      double value = number(i);
      if (Double.isInfinite(value) || (Double.isNaN(value) && !mayMiss)) {
        throw RefusedRequestException.bad(
            "%s has %s as element %s; send finite numbers".formatted(where, value, i));
      }
    }
  }

  @Override
  public float[] numbers() throws RefusedRequestException {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      double value = number(i);
      numbers[i] = (float) value;
      if (Float.isInfinite(numbers[i])) {
        throw RefusedRequestException.bad(
            "%s has %s as element %s; models compute with numbers of 32 bits, up to %s"
                .formatted(where, value, i, Float.MAX_VALUE));
      }
    }
    return numbers;
  }

  private double number(int element) {
    return switch (type) {
      case FP32 -> bytes.getFloat(element * Float.BYTES);
      case FP64 -> bytes.getDouble(element * Double.BYTES);
      case UINT64 -> unsigned(whole(element)).doubleValue();
      default -> whole(element);
    };
  }

  private long whole(int element) {
    return switch (type) {
      case INT8 -> bytes.get(element);
      case BOOL, UINT8 -> Byte.toUnsignedLong(bytes.get(element));
      case INT16 -> bytes.getShort(element * Short.BYTES);
      case UINT16 -> Short.toUnsignedLong(bytes.getShort(element * Short.BYTES));
      case INT32 -> bytes.getInt(element * Integer.BYTES);
      case UINT32 -> Integer.toUnsignedLong(bytes.getInt(element * Integer.BYTES));
      case INT64, UINT64 -> bytes.getLong(element * Long.BYTES);
      default -> throw new IllegalStateException("%s isn't whole".formatted(type));
    };
  }

  private static BigInteger unsigned(long bits) {
    BigInteger value = BigInteger.valueOf(bits & Long.MAX_VALUE);
    return bits < 0 ? value.setBit(Long.SIZE - 1) : value;
  }

  @Override
  public List<String> texts() {
    return texts;
  }

  @Override
  public void put(int element, FieldValues into, int field) {
    switch (type) {
      case BYTES -> into.setText(field, texts.get(element));
      case BOOL -> into.setBoolean(field, whole(element) != 0);
      case UINT64 -> into.setWhole(field, unsigned(whole(element)));
      case FP32, FP64 -> {
        double value = number(element);
        if (!Double.isNaN(value)) {
          into.setDouble(field, value);
        }
      }
      default -> into.setLong(field, whole(element));
    }
  }
}
