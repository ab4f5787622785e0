package dev.millrace.exchange.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts that a replica had saved of what a hook keeps, which follow each other.
 *
 * @param replica who had saved them
 * @param first number of the first of that replica's parts
 * @param count how many, at least one
 */
public record PartRun(int replica, int first, int count) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,9})\\+(\\d{1,9})");

  /**
   * Reads what {@link #text} gives.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  static PartRun parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'%s' are no parts, such as 0:12+52".formatted(text));
    }
    return new PartRun(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  /** Returns the text of it, such as {@code 0:12+52}. */
  public String text() {
    return replica + ":" + first + "+" + count;
  }
}
