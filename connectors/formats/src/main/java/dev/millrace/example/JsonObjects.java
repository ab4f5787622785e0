package dev.millrace.example;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.io.OutputStream;

/** Reads and writes values that are one JSON object in UTF-8. Thread-safe. */
public final class JsonObjects {

  // Field names come from producers: interned, they would stay in memory for ever. The pool of
  // buffers is the factory's own, so that no thread keeps this class, and its class loader, alive.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(JsonText.MAX_DEPTH).build())
          .build();

  private JsonObjects() {}

  /** What a format reads of an object. */
  @FunctionalInterface
  public interface Content {

    /** Reads from behind the object's start to its end. */
    void read(JsonParser parser) throws IOException, InvalidExampleException;
  }

  /**
   * Reads a value.
   *
   * @throws InvalidExampleException if it is anything but one object, or the content is invalid
   */
  public static void read(byte[] value, Content content) throws InvalidExampleException {
    // The parser looks closely only at texts that are asked for.
    JsonText.require(value);
    try (JsonParser parser = JSON.createParser(value)) {
      try {
        read(parser, content);
      } catch (IOException e) {
        throw JsonText.problem(e, value, parser.getParsingContext().getNestingDepth());
      }
    } catch (IOException | RuntimeException e) {
      throw new InvalidExampleException("not JSON");
    }
  }

  private static void read(JsonParser parser, Content content)
      throws IOException, InvalidExampleException {
    JsonToken first = parser.nextToken();
    if (first != JsonToken.START_OBJECT) {
      throw new InvalidExampleException(
          "a JSON object expected, %s found".formatted(describe(first)));
    }
    content.read(parser);
    if (parser.nextToken() != null) {
      throw new InvalidExampleException(
          "nothing expected after the object, more found at byte "
              + parser.currentTokenLocation().getByteOffset());
    }
  }

  static JsonGenerator writer(OutputStream out) throws IOException {
    return JSON.createGenerator(out);
  }

  /** Says what came, in words; null is the end of the value. */
  public static String describe(JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_ARRAY -> "an array";
      case START_OBJECT -> "an object";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_NULL -> "null";
      case VALUE_TRUE -> "true";
      case VALUE_FALSE -> "false";
      default -> token.name();
    };
  }
}
