package dev.millrace.serve;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;

/** JSON of requests: how it is read, and what is said where it is none. */
final class RequestJson {

  /** A parser takes JSON that has a 0 in these for UTF-16 or UTF-32. */
  private static final int FIRST_BYTES = 4;

  private static final int MOST_DEEP = 50;
  private static final int MOST_TEXT = 1 << 20;
  private static final int MOST_DIGITS = 1_000;

  // Names come from clients: interned, they would stay in memory for ever.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_DEEP)
                  .maxStringLength(MOST_TEXT)
                  .maxNumberLength(MOST_DIGITS)
                  .build())
          .build();

  private RequestJson() {}

  /**
   * Stands before the first token.
   *
   * @throws RefusedRequestException if it is JSON in another encoding than UTF-8
   */
  static JsonParser parser(byte[] body, int length) throws IOException, RefusedRequestException {
    for (int i = 0; i < FIRST_BYTES && i < length; i++) {
      if (body[i] == 0) {
        throw RefusedRequestException.bad(
            "The body is no JSON in UTF-8: byte %s is 0, as in UTF-16 and UTF-32".formatted(i));
      }
    }
    return JSON.createParser(body, 0, length);
  }

  /** Returns what a client is told of what the parser has found. */
  static RefusedRequestException refusal(IOException failure) {
    String at =
        failure instanceof JacksonException found && found.getLocation() != null
            ? say(found.getLocation())
            : "";
    if (failure instanceof StreamConstraintsException) {
      return RefusedRequestException.bad(
          ("The body has more than this server reads%s; it takes %s arrays and objects in each"
                  + " other, texts of %s characters and numbers of %s digits")
              .formatted(at, MOST_DEEP, MOST_TEXT, MOST_DIGITS));
    }
    return RefusedRequestException.bad(
        "The body is no JSON%s%s"
            .formatted(
                at,
                failure instanceof JsonEOFException
                    ? ", where it ends; send all of it"
                    : "; send one object of JSON in UTF-8"));
  }

  private static String say(JsonLocation at) {
    return " at line %s, column %s".formatted(at.getLineNr(), at.getColumnNr());
  }
}
