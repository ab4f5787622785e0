package dev.millrace.benchmark.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {

  private Figures() {}

  /** Three digits, or all before the point. */
  public static String plain(double value) {
    double magnitude = Math.abs(value);
    String format = magnitude >= 100 ? "%,.0f" : magnitude >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  public static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Median, least and greatest. */
  public static String range(Samples samples) {
    return "%s (%s–%s)"
        .formatted(plain(samples.median()), plain(samples.least()), plain(samples.greatest()));
  }
}
