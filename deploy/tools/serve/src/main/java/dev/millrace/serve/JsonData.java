package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.fields.FieldValues;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The elements of a tensor in row-major order, as JSON has them: one array of all, or arrays in
 * arrays as its shape has it. What they may be depends on the datatype, which may come later.
 *
 * <p>Not thread-safe.
 */
final class JsonData implements TensorData {

  /** The most depth of all tensors that models take. */
  static final int MOST_DEEP = 3;

  /** What elements are. */
  private enum Kind {
    WHOLE,
    FRACTION,
    TRUTH,
    TEXT,
    NULL
  }

  private final String where;
  private final Elements most;

  /** Lengths of arrays at each depth; -1 where there was none yet. */
  private final int[] lengths = new int[MOST_DEEP];

  /** Whether arrays at each depth hold arrays; null where that isn't known yet. */
  private final Boolean[] holdsArrays = new Boolean[MOST_DEEP];

  private final Map<Kind, Integer> firstOfKind = new EnumMap<>(Kind.class);
  private int count;
  private float[] numbers = new float[64];

  /** Null until there is a text, or a value that is kept as it is. */
  private List<Object> values;

  private int leastAt = -1;
  private int greatestAt = -1;
  private double least;
  private double greatest;

  /**
   * @param where it stands in the request, for messages
   * @param most elements that it may have
   */
  JsonData(String where, Elements most) {
    this.where = where;
    this.most = most;
    Arrays.fill(lengths, -1);
  }

  /** Reads all of it; the parser stands at its first token. */
  void read(JsonParser parser) throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be an array".formatted(where, Tokens.say(parser)));
    }
    readArray(parser, 0);
  }

  private void readArray(JsonParser parser, int depth) throws IOException, RefusedRequestException {
    if (depth == MOST_DEEP) {
      throw RefusedRequestException.bad(
          "%s has arrays in arrays more than %s deep; no model takes that"
              .formatted(where, MOST_DEEP));
    }
    int length = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      boolean isArray = token == JsonToken.START_ARRAY;
      if (length == 0 && holdsArrays[depth] == null) {
        holdsArrays[depth] = isArray;
      }
      if (holdsArrays[depth] != isArray) {
        throw RefusedRequestException.bad(
            ("%s has arrays and elements side by side; give one array of all elements, or arrays in"
                    + " arrays as the shape has it")
                .formatted(where));
      }
      if (isArray) {
        readArray(parser, depth + 1);
      } else {
        add(parser, token);
      }
      length++;
    }
    if (length == 0 && depth > 0) {
      throw RefusedRequestException.bad(
          "%s has an empty array in an array; give each row its elements".formatted(where));
    }
    if (lengths[depth] >= 0 && lengths[depth] != length) {
      throw RefusedRequestException.bad(
          "%s has an array of %s elements beside one of %s; give each row the same number"
              .formatted(where, length, lengths[depth]));
    }
    lengths[depth] = length;
  }

  private void add(JsonParser parser, JsonToken token) throws IOException, RefusedRequestException {
    switch (token) {
      case VALUE_NUMBER_INT -> addNumber(parser, Kind.WHOLE);
      case VALUE_NUMBER_FLOAT -> addNumber(parser, Kind.FRACTION);
      case VALUE_TRUE -> addElement(Kind.TRUTH, 1, exact(true));
      case VALUE_FALSE -> addElement(Kind.TRUTH, 0, exact(false));
      case VALUE_NULL -> addElement(Kind.NULL, Float.NaN, null);
      case VALUE_STRING -> addElement(Kind.TEXT, Float.NaN, parser.getText());
      default ->
          throw RefusedRequestException.bad(
              "%s has %s as element %s; elements are numbers, texts, true, false or null"
                  .formatted(where, Tokens.say(parser), count));
    }
  }

  private void addNumber(JsonParser parser, Kind kind) throws IOException, RefusedRequestException {
    // First: once a whole number has been read as a fraction, Jackson may not give it as it is.
    Object exactOrNull =
        !most.ofField()
            ? null
            : kind == Kind.WHOLE ? parser.getNumberValue() : (Object) parser.getDoubleValue();
    double value = parser.getDoubleValue();
    if (leastAt < 0 || value < least) {
      least = value;
      leastAt = count;
    }
    if (greatestAt < 0 || value > greatest) {
      greatest = value;
      greatestAt = count;
    }
    addElement(kind, parser.getFloatValue(), exactOrNull);
  }

  /** Returns what a field takes as it is, and features don't. */
  private Object exact(Object value) {
    return most.ofField() ? value : null;
  }

  private void addElement(Kind kind, float number, Object valueOrNull)
      throws RefusedRequestException {
    if (count == most.count()) {
      throw new RefusedRequestException(
          413,
          "%s has more than %s elements, and this server takes %s rows at once: send several requests"
              .formatted(where, count, most.rows()));
    }
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    if (valueOrNull != null && values == null) {
      values = new ArrayList<>(Collections.nCopies(count, null));
    }
    if (values != null) {
      values.add(valueOrNull);
    }
    if (!firstOfKind.containsKey(kind)) {
      firstOfKind.put(kind, count);
    }
    numbers[count] = number;
    count++;
  }

  @Override
  public void require(int[] shape, Datatype type, boolean mayMiss) throws RefusedRequestException {
    requireShape(shape);
    for (Map.Entry<Kind, Integer> first : firstOfKind.entrySet()) {
      Kind kind = first.getKey();
      if (!fits(kind, type, mayMiss)) {
        throw RefusedRequestException.bad(
            "%s has %s as element %s, and the datatype is %s; %s"
                .formatted(where, say(kind), first.getValue(), type, advice(kind, type)));
      }
    }
    if (type != Datatype.BYTES && leastAt >= 0) {
      requireRange(type, least, leastAt);
      requireRange(type, greatest, greatestAt);
    }
  }

  private void requireShape(int[] shape) throws RefusedRequestException {
    long all = 1;
    for (int length : shape) {
      all *= length;
    }
    int depth = 0;
    while (depth < MOST_DEEP && lengths[depth] >= 0) {
      depth++;
    }
    int[] own = Arrays.copyOf(lengths, depth);
    if (depth > 1 && !Arrays.equals(shape, own)) {
      throw RefusedRequestException.bad(
          "%s is of the shape %s, and shape says %s; give the shape of the data"
              .formatted(where, Arrays.toString(own), Arrays.toString(shape)));
    }
    if (count != all) {
      throw RefusedRequestException.bad(
          "%s has %s elements, and the shape %s asks for %s; give as many"
              .formatted(where, count, Arrays.toString(shape), all));
    }
  }

  private static boolean fits(Kind kind, Datatype type, boolean mayMiss) {
    return switch (kind) {
      case WHOLE -> type != Datatype.BYTES && type != Datatype.BOOL;
      case FRACTION -> type != Datatype.BYTES && type != Datatype.BOOL && !type.isWhole();
      case TRUTH -> type == Datatype.BOOL;
      case TEXT -> type == Datatype.BYTES;
      case NULL -> mayMiss;
    };
  }

  private static String say(Kind kind) {
    return switch (kind) {
      case WHOLE -> "a whole number";
      case FRACTION -> "a fraction";
      case TRUTH -> "true or false";
      case TEXT -> "a text";
      case NULL -> "null";
    };
  }

  private static String advice(Kind kind, Datatype type) {
    return kind == Kind.NULL
        ? "this model's examples have no missing values"
        : switch (type) {
          case BYTES -> "give texts";
          case BOOL -> "give true or false";
          case FP16, FP32, FP64 -> "give numbers";
          default -> "give whole numbers, or the datatype FP32";
        };
  }

  private void requireRange(Datatype type, double value, int at) throws RefusedRequestException {
    if (!type.holds(value)) {
      throw RefusedRequestException.bad(
          "%s has %s as element %s, which %s doesn't hold; give another datatype"
              .formatted(where, value, at, type));
    }
    if (!most.ofField() && !Datatype.FP32.holds(value)) {
      throw RefusedRequestException.bad(
          "%s has %s as element %s; models compute with numbers of 32 bits, up to %s"
              .formatted(where, value, at, Float.MAX_VALUE));
    }
  }

  @Override
  public float[] numbers() {
    return numbers;
  }

  @Override
  public List<String> texts() {
    return values == null
        ? Collections.nCopies(count, null)
        : values.stream().map(String.class::cast).toList();
  }

  @Override
  public void put(int element, FieldValues into, int field) {
    Object value = values == null ? null : values.get(element);
    if (value instanceof String text) {
      into.setText(field, text);
    } else if (value instanceof Boolean truth) {
      into.setBoolean(field, truth);
    } else if (value instanceof BigInteger whole) {
      into.setWhole(field, whole);
    } else if (value instanceof Double number) {
      into.setDouble(field, number);
    } else if (value instanceof Integer || value instanceof Long) {
      into.setLong(field, ((Number) value).longValue());
    }
  }
}
