package dev.millrace.cli.timeline;

import dev.millrace.job.report.Html;

/** Times for people. */
final class Millis {

  private static final double SECOND = 1000;

  private Millis() {}

  static String text(double millis) {
    return millis >= 10 * SECOND
        ? Html.format("%,.1f s", millis / SECOND)
        : Html.format(millis < 10 ? "%.2f ms" : millis < 100 ? "%.1f ms" : "%,.0f ms", millis);
  }
}
