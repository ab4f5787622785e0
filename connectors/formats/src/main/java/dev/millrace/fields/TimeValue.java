package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.IsoTime;
import java.time.DateTimeException;

/** Reads a time: a number since the epoch, or a text of ISO-8601, UTC where it has no offset. */
final class TimeValue {

  private static final long PER_MILLI = 1000;

  private TimeValue() {}

  /**
   * Milliseconds since the epoch.
   *
   * @throws InvalidExampleException if the value is no time
   */
  static long millis(FieldValues values, int field, TimeUnit unit, String name)
      throws InvalidExampleException {
    try {
      switch (values.kind(field)) {
        case LONG -> {
          return millis(values.longAt(field), unit);
        }
        case DOUBLE -> {
          return millis(values.doubleAt(field), unit);
        }
        case TEXT, CELL -> {
          double number = values.number(field);
          return Double.isNaN(number) ? IsoTime.inUtc(values.textAt(field)) : millis(number, unit);
        }
        default -> {}
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Told below.
    }
    throw Value.expected(
        "a time, as %s since the epoch or in ISO-8601,".formatted(unit), values, field, name);
  }

  private static long millis(long number, TimeUnit unit) {
    return switch (unit) {
      case SECONDS -> Math.multiplyExact(number, PER_MILLI);
      case MILLISECONDS -> number;
      case MICROSECONDS -> Math.floorDiv(number, PER_MILLI);
    };
  }

  private static long millis(double number, TimeUnit unit) {
    double millis =
        Math.floor(
            switch (unit) {
              case SECONDS -> number * PER_MILLI;
              case MILLISECONDS -> number;
              case MICROSECONDS -> number / PER_MILLI;
            });
    if (!(Math.abs(millis) < Long.MAX_VALUE)) {
      throw new ArithmeticException();
    }
    return (long) millis;
  }
}
