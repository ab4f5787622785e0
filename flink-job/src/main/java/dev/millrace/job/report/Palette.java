package dev.millrace.job.report;

import java.util.List;

/** Colours that people with any kind of colour vision can tell apart (Okabe and Ito, 2008). */
public final class Palette {

  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#555555", "#7b3294");

  /** Lines of a chart at most: each colour once as a whole line, and half of them dashed. */
  static final int MOST_LINES = 12;

  private Palette() {}

  public static String colour(int line) {
    return COLOURS.get(line % COLOURS.size());
  }

  static String dash(int line) {
    return line < COLOURS.size() ? "" : " stroke-dasharray=\"6 4\"";
  }
}
