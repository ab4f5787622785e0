package dev.millrace.benchmark.peer;

import java.time.Duration;
import java.util.Locale;

/** What stands on the command line; each message says what was given and what to give. */
public final class Arguments {

  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(5);
  private static final double A_DAY = 86_400;

  private Arguments() {}

  /**
   * Refuses another number of arguments.
   *
   * @throws IllegalArgumentException if there are not so many
   */
  public static void check(String[] args, int count, String usage) {
    if (args.length != count) {
      throw new IllegalArgumentException(
          "There are %s arguments; %s".formatted(args.length, usage));
    }
  }

  /**
   * The time that is measured.
   *
   * @throws IllegalArgumentException if it is not a number above 0, of a day at most
   */
  public static Duration seconds(String value) {
    return Duration.ofNanos((long) (number("SECONDS", value, A_DAY) * 1e9));
  }

  /** Half of what is measured, at most 5 s. */
  public static Duration warmUp(Duration time) {
    Duration half = time.dividedBy(2);
    return half.compareTo(LONGEST_WARM_UP) < 0 ? half : LONGEST_WARM_UP;
  }

  static double number(String what, String value, double most) {
    try {
      double number = Double.parseDouble(value);
      if (number > 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the numbers that are out of range.
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT, "%s is '%s'; it is a number above 0, at most %.0f", what, value, most));
  }
}
