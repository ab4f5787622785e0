package dev.millrace.fields;

import java.util.Locale;

/** What a number that is a time counts since the epoch. */
public enum TimeUnit {
  SECONDS(1_000, 1),
  MILLISECONDS(1, 1),
  MICROSECONDS(1, 1_000),
  NANOSECONDS(1, 1_000_000),
  DAYS(86_400_000, 1);

  private final long millis;
  private final long part;

  /** So many milliseconds, or such a part of one. */
  TimeUnit(long millis, long part) {
    this.millis = millis;
    this.part = part;
  }

  /**
   * Returns the millisecond that a number is in.
   *
   * @throws ArithmeticException if no long holds it
   */
  public long toMillis(long number) {
    return Math.floorDiv(Math.multiplyExact(number, millis), part);
  }

  /** Does what {@link #toMillis(long)} does, of a number that may have a fraction. */
  public long toMillis(double number) {
    double time = Math.floor(number * millis / part);
    if (!(Math.abs(time) < Long.MAX_VALUE)) {
      throw new ArithmeticException("No time is " + number + " " + this);
    }
    return (long) time;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
