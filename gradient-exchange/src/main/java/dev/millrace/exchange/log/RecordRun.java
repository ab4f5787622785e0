package dev.millrace.exchange.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records of one partition that follow each other.
 *
 * @param topic of the partition
 * @param partition its number
 * @param first offset of the first
 * @param count how many, at least one
 */
public record RecordRun(String topic, int partition, long first, int count) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,18})\\+(\\d{1,9})");

  /** Returns the offset behind the last one. */
  public long end() {
    return first + count;
  }

  /** Returns as many records behind these. */
  RecordRun next() {
    return new RecordRun(topic, partition, end(), count);
  }

  /**
   * Reads what {@link #text} gives.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static RecordRun parse(String topic, String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no run of records, such as 0:1200+32".formatted(text));
    }
    return new RecordRun(
        topic,
        Integer.parseInt(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  /** Returns where they are in their topic, such as {@code 0:1200+32}. */
  public String text() {
    StringBuilder text = new StringBuilder();
    write(text, partition, first, count);
    return text.toString();
  }

  static void write(StringBuilder text, int partition, long first, int count) {
    text.append(partition).append(':').append(first).append('+').append(count);
  }
}
