package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parameters of a request or of a tensor: those of the extension for binary data, and one of ours.
 */
final class Parameters {

  /** The bytes of an input behind the JSON. */
  static final String SIZE = "binary_data_size";

  /** Whether an output comes as bytes. */
  static final String BINARY = "binary_data";

  /** Whether all outputs do of which the request says nothing else. */
  static final String ALL_BINARY = "binary_data_output";

  /** The text that stands for a missing value. */
  static final String MISSING = "missing";

  private static final Set<String> KNOWN = Set.of(SIZE, BINARY, ALL_BINARY, MISSING);

  private final String where;
  private final Map<String, Object> values = new HashMap<>();

  /**
   * Begins with none.
   *
   * @param where they stand in the request, for messages
   */
  Parameters(String where) {
    this.where = where;
  }

  /** Reads them; others than it knows are passed over. */
  static Parameters read(JsonParser parser, String where, Skipped skipped)
      throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be an object".formatted(where, Tokens.say(parser)));
    }
    Parameters read = new Parameters(where);
    Members members = new Members(parser, where, KNOWN, skipped);
    for (String name = members.nextOrNull(); name != null; name = members.nextOrNull()) {
      read.values.put(
          name,
          switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_STRING -> Tensor.text(parser, where + "." + name);
            default ->
                throw RefusedRequestException.bad(
                    "%s.%s is %s; it must be a text, a whole number, true or false"
                        .formatted(where, name, Tokens.say(parser)));
          });
    }
    return read;
  }

  /** Returns what a parameter says, if it is there. */
  <T> Optional<T> get(String name, Class<T> type) throws RefusedRequestException {
    Object value = values.get(name);
    if (value != null && !type.isInstance(value)) {
      throw RefusedRequestException.bad(
          "%s.%s is %s; it must be %s"
              .formatted(where, name, Tokens.shorten(value.toString()), say(type)));
    }
    return Optional.ofNullable(type.cast(value));
  }

  private static String say(Class<?> type) {
    return type == Boolean.class
        ? "true or false"
        : type == String.class ? "a text" : "a whole number up to %s".formatted(Integer.MAX_VALUE);
  }
}
