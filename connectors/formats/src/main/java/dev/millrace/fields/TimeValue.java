package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.IsoTime;
import java.time.DateTimeException;

/** Reads a time: a number since the epoch, or a text of ISO-8601, UTC where it has no offset. */
final class TimeValue {

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
          return unit.toMillis(values.longAt(field));
        }
        case DOUBLE -> {
          return unit.toMillis(values.doubleAt(field));
        }
        case TEXT, CELL -> {
          double number = values.number(field);
          return Double.isNaN(number) ? IsoTime.inUtc(values.textAt(field)) : unit.toMillis(number);
        }
        default -> {}
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Told below.
    }
    throw Value.expected(
        "a time, as %s since the epoch or in ISO-8601,".formatted(unit), values, field, name);
  }
}
