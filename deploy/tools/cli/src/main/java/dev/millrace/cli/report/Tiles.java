package dev.millrace.cli.report;

import dev.millrace.watch.Document;

/** The few numbers that a reader looks for first. */
final class Tiles {

  private final StringBuilder html = new StringBuilder("<dl class=\"tiles\">\n");

  /**
   * Adds one.
   *
   * @param hint what the number is, in a few words
   */
  Tiles add(String name, String value, String hint) {
    html.append(
        Html.format(
            "<div><dt>%s<small>%s</small></dt><dd>%s</dd></div>%n",
            Document.escape(name), Document.escape(hint), Document.escape(value)));
    return this;
  }

  /** Adds measures that examples have only where they are positive or negative. */
  Tiles addOfTwoClasses(Double normalizedEntropy, Double calibrationRatio) {
    if (normalizedEntropy != null) {
      add("normalized entropy", Html.share(normalizedEntropy), "1 is the mean share, 0 is best");
    }
    if (calibrationRatio != null) {
      add("calibration ratio", Html.share(calibrationRatio), "positives predicted per positive");
    }
    return this;
  }

  String write() {
    return html + "</dl>\n";
  }
}
