package dev.millrace.cli.timeline;

import java.util.Locale;

/** Times for people. */
final class Millis {

  private static final double SECOND = 1000;

  private Millis() {}

  static String text(double millis) {
    return millis >= 10 * SECOND
        ? String.format(Locale.ROOT, "%,.1f s", millis / SECOND)
        : String.format(
            Locale.ROOT, millis < 10 ? "%.2f ms" : millis < 100 ? "%.1f ms" : "%,.0f ms", millis);
  }
}
