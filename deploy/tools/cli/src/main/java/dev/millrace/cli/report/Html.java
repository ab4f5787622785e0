package dev.millrace.cli.report;

import java.util.Locale;

/** Texts and numbers as a page shows them. */
final class Html {

  private static final String NOTHING = "–";

  private Html() {}

  static String count(long value) {
    return format("%,d", value);
  }

  /** A share or an area, from 0 to 1. */
  static String share(Double value) {
    return value == null ? NOTHING : format("%.4f", value);
  }

  static String percent(double value) {
    return format("%.1f %%", 100 * value);
  }

  /** A number of any size, in four or five digits. */
  static String number(Double value) {
    if (value == null) {
      return NOTHING;
    }
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-3 || size >= 1e7)) {
      return format("%.3e", value);
    }
    return format(size < 10 ? "%.4f" : size < 1000 ? "%.2f" : "%,.1f", value);
  }

  /** Formats as the formatter of strings does, but the same in every country. */
  static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
