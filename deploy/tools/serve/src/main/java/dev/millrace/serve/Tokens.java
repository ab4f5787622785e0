package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** JSON's tokens in words. */
final class Tokens {

  /** A client that sends a megabyte doesn't get it back. */
  private static final int MOST_SHOWN = 40;

  private Tokens() {}

  /** Says what the parser stands at. */
  static String say(JsonParser parser) throws IOException {
    if (parser.currentToken() == null) {
      return "nothing";
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> '"' + shorten(parser.getText()) + '"';
      default -> shorten(parser.getText());
    };
  }

  /** The beginning of a long text. */
  static String shorten(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
