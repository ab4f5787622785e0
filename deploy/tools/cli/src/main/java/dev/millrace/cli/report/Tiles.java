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

  String write() {
    return html + "</dl>\n";
  }
}
