package dev.millrace.cli.console;

import java.math.BigDecimal;
import java.util.Locale;

/** Numbers for people. */
public final class NumberText {

  private NumberText() {}

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Writes a number without zeros at the end: {@code 10} or {@code 2.5}. */
  public static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** Bytes in the greatest unit that keeps it above 1. */
  public static String size(long bytes) {
    double size = bytes;
    String[] units = {"bytes", "KB", "MB", "GB", "TB"};
    int unit = 0;
    while (size >= 1000 && unit < units.length - 1) {
      size /= 1000;
      unit++;
    }
    return unit == 0
        ? bytes + " bytes"
        : String.format(Locale.ROOT, size < 10 ? "%.1f %s" : "%.0f %s", size, units[unit]);
  }

  /** A measure; where there is none, a dash. */
  public static String number(Double valueOrNull) {
    return valueOrNull == null ? "-" : String.format(Locale.ROOT, "%.4g", valueOrNull);
  }
}
