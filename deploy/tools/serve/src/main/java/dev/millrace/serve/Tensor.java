package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * An input of a request.
 *
 * @param where it stands in the request, for messages
 * @param shape its lengths, rows first
 * @param dataOrNull null where the data stands behind the JSON
 * @param binarySize the bytes that it has there
 */
record Tensor(
    String where, String name, int[] shape, Datatype type, TensorData dataOrNull, int binarySize) {

  private static final int MOST_DIMENSIONS = 8;
  private static final Set<String> MEMBERS =
      Set.of("name", "shape", "datatype", "data", "parameters");

  /**
   * Reads one.
   *
   * @param parser at its first token
   * @param most elements that it may have
   * @throws RefusedRequestException if it isn't one, or a member is missing
   */
  static Tensor read(JsonParser parser, String where, Elements most, Skipped skipped)
      throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be an object with name, shape, datatype and data"
              .formatted(where, Tokens.say(parser)));
    }
    String name = null;
    int[] shape = null;
    Datatype type = null;
    JsonData data = null;
    Parameters parameters = new Parameters(where);
    Members members = new Members(parser, where, MEMBERS, skipped);
    for (String member = members.nextOrNull(); member != null; member = members.nextOrNull()) {
      switch (member) {
        case "name" -> name = text(parser, where + ".name");
        case "shape" -> shape = shape(parser, where + ".shape");
        case "datatype" -> type = type(parser, where + ".datatype");
        case "parameters" -> parameters = Parameters.read(parser, where + ".parameters", skipped);
        default -> {
          data = new JsonData(where + ".data", most);
          data.read(parser);
        }
      }
    }
    Optional<Integer> size = parameters.get(Parameters.SIZE, Integer.class);
    if (data != null && size.isPresent()) {
      throw RefusedRequestException.bad(
          "%s has data, and %s besides; give one".formatted(where, Parameters.SIZE));
    }
    if (name == null || shape == null || type == null || (data == null && size.isEmpty())) {
      throw RefusedRequestException.bad(
          "%s has no %s; give name, shape, datatype and data"
              .formatted(
                  where,
                  name == null
                      ? "name"
                      : shape == null ? "shape" : type == null ? "datatype" : "data"));
    }
    return new Tensor(where, name, shape, type, data, size.orElse(0));
  }

  /** Takes its data from behind the JSON. */
  Tensor with(ByteBuffer bytes) {
    return new Tensor(where, name, shape, type, new BinaryData(where, bytes), 0);
  }

  /** Returns its data, which is there. */
  TensorData data() {
    return Objects.requireNonNull(dataOrNull, "data");
  }

  /**
   * Reads a text.
   *
   * @throws RefusedRequestException if it is none, or no valid Unicode
   */
  static String text(JsonParser parser, String where) throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be a text".formatted(where, Tokens.say(parser)));
    }
    String text = parser.getText();
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw RefusedRequestException.bad(
          "%s has one half of a surrogate pair; send valid Unicode".formatted(where));
    }
    return text;
  }

  private static Datatype type(JsonParser parser, String where)
      throws IOException, RefusedRequestException {
    return Datatype.require(text(parser, where), where);
  }

  private static int[] shape(JsonParser parser, String where)
      throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be an array of lengths".formatted(where, Tokens.say(parser)));
    }
    int[] shape = new int[MOST_DIMENSIONS];
    int dimensions = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (dimensions == MOST_DIMENSIONS) {
        throw RefusedRequestException.bad(
            "%s has more than %s lengths; no model takes that".formatted(where, MOST_DIMENSIONS));
      }
      boolean fits =
          parser.currentToken() == JsonToken.VALUE_NUMBER_INT
              && parser.getNumberType() == JsonParser.NumberType.INT
              && parser.getIntValue() >= 0;
      if (!fits) {
        throw RefusedRequestException.bad(
            "%s has %s; lengths are whole numbers from 0 to %s"
                .formatted(where, Tokens.say(parser), Integer.MAX_VALUE));
      }
      shape[dimensions] = parser.getIntValue();
      dimensions++;
    }
    return Arrays.copyOf(shape, dimensions);
  }
}
