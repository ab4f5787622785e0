package dev.millrace.example;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Reads a time of ISO-8601: with or without seconds, with {@code T} or a space between date and
 * time, and with an offset such as {@code Z}, {@code +01:00}, {@code +0100} or {@code +01}. A day
 * that no calendar has is no time.
 */
public final class IsoTime {

  private static final int DATE_CHARACTERS = 10;

  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXXXX][X]")
          .toFormatter(Locale.ROOT);

  private IsoTime() {}

  /**
   * Milliseconds since the epoch, of a time that has an offset.
   *
   * @throws DateTimeException if it is none
   * @throws ArithmeticException if it is beyond the range of long
   */
  public static long withOffset(String text) {
    return FORMAT.parse(iso(text), OffsetDateTime::from).toInstant().toEpochMilli();
  }

  /**
   * Returns the milliseconds since the epoch of a time, which is in UTC where it has no offset, or
   * of a date, which begins in UTC.
   *
   * @throws DateTimeException if it is none
   * @throws ArithmeticException if it is beyond the range of long
   */
  public static long inUtc(String text) {
    if (text.length() == DATE_CHARACTERS) {
      return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
    TemporalAccessor time = FORMAT.parseBest(iso(text), OffsetDateTime::from, LocalDateTime::from);
    return time instanceof OffsetDateTime offset
        ? offset.toInstant().toEpochMilli()
        : ((LocalDateTime) time).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /**
   * Writes a time as the parser wants it: with a T in the middle, and of a day that is in the
   * calendar.
   */
  private static String iso(String text) {
    String time =
        text.length() > DATE_CHARACTERS && text.charAt(DATE_CHARACTERS) == ' '
            ? text.substring(0, DATE_CHARACTERS) + 'T' + text.substring(DATE_CHARACTERS + 1)
            : text;
    int date = Math.max(time.indexOf('T'), time.indexOf('t'));
    if (date > 0) {
      // The parser takes the 30th of February for the last day of it.
      LocalDate.parse(time.substring(0, date));
    }
    return time;
  }
}
