package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/**
 * What came, fit to stand in a one-line reason: quoted, cut short, without control characters, and
 * with codes for what nobody would see.
 */
public final class Excerpt {

  private static final int MAX_CHARACTERS = 40;
  private static final int MAX_BYTES_PER_CHARACTER = 4;

  private Excerpt() {}

  public static String of(String text) {
    return '"' + unquoted(text) + '"';
  }

  /** Makes an excerpt of what is known to be text that needs no quotes, such as a number. */
  public static String unquoted(String text) {
    return oneLine(text, MAX_CHARACTERS);
  }

  public static String of(byte[] text, int from, int to) {
    int length = Math.min(to - from, (MAX_CHARACTERS + 1) * MAX_BYTES_PER_CHARACTER);
    return of(new String(text, from, length, UTF_8));
  }

  public static String oneLine(String text, int maxCharacters) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length() && i < maxCharacters; i++) {
      char c = text.charAt(i);
      if (isUnseen(c)) {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(Character.isISOControl(c) ? ' ' : c);
      }
    }
    return text.length() > maxCharacters ? line.append('…').toString() : line.toString();
  }

  /** A byte order mark is, and so is a space other than the usual one. */
  private static boolean isUnseen(char c) {
    return switch (Character.getType(c)) {
      case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      case Character.SPACE_SEPARATOR -> c != ' ';
      default -> false;
    };
  }
}
