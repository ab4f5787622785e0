package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;

/** Says of values that were to be JSON why they are none. */
public final class JsonText {

  /** Objects and arrays that may stand in one another. */
  public static final int MAX_DEPTH = 64;

  /** The first character of a text in UTF-16 or UTF-32 is within them, and has a byte 0. */
  private static final int FIRST_BYTES = 4;

  /** The characters that are shown on either side of a mistake. */
  private static final int NEAR = 12;

  private JsonText() {}

  /**
   * Checks that a value is a text in UTF-8.
   *
   * @throws InvalidExampleException if it is none, or there is something before the text
   */
  public static void require(byte[] value) throws InvalidExampleException {
    WireHeader.refuse(value);
    for (int i = 0; i < FIRST_BYTES && i < value.length; i++) {
      if (value[i] == 0) {
        throw new InvalidExampleException(
            "not JSON in UTF-8: a byte 0 at byte %s, as in binary values, UTF-16 and UTF-32"
                .formatted(i));
      }
    }
    Utf8.require(value);
  }

  /**
   * Says why a parser has failed, in words of our own.
   *
   * @param value that was parsed, as bytes or as the text that they are
   * @param depth that it had come to
   */
  public static InvalidExampleException problem(IOException failure, byte[] value, int depth) {
    if (failure instanceof StreamConstraintsException) {
      return new InvalidExampleException(
          depth >= MAX_DEPTH
              ? "beyond a limit: nested deeper than %s levels".formatted(MAX_DEPTH)
              : "beyond a limit: a number, a name or a text is too long");
    }
    if (failure instanceof JsonEOFException) {
      return new InvalidExampleException(
          "not JSON at byte %s: it ends before the object does".formatted(value.length));
    }
    return failure instanceof JsonProcessingException known && known.getLocation() != null
        ? at(known.getLocation(), value)
        : new InvalidExampleException("not JSON");
  }

  private static InvalidExampleException at(JsonLocation location, byte[] value) {
    if (location.getByteOffset() >= 0) {
      int at = (int) Math.min(location.getByteOffset(), value.length);
      return new InvalidExampleException(
          "not JSON at byte %s, near %s".formatted(at, near(value, at)));
    }
    String text = new String(value, UTF_8);
    int at = (int) Math.max(0, Math.min(location.getCharOffset(), text.length()));
    return new InvalidExampleException(
        "not JSON at character %s, near %s"
            .formatted(
                at,
                Excerpt.of(
                    text.substring(Math.max(0, at - NEAR), Math.min(text.length(), at + NEAR)))));
  }

  private static String near(byte[] value, int at) {
    int from = Math.max(0, at - NEAR);
    int to = Math.min(value.length, at + NEAR);
    while (from > 0 && isWithinCharacter(value[from])) {
      from--;
    }
    while (to < value.length && isWithinCharacter(value[to])) {
      to++;
    }
    return Excerpt.of(new String(value, from, to - from, UTF_8));
  }

  private static boolean isWithinCharacter(byte b) {
    return (b & 0xc0) == 0x80;
  }
}
