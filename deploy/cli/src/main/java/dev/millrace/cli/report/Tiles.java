package dev.millrace.cli.report;

/** The few numbers that a reader looks for first. */
final class Tiles {

  private final StringBuilder html = new StringBuilder("<div class=\"tiles\">\n");

  /**
   * Adds one.
   *
   * @param hint what the number is, in a few words
   */
  Tiles add(String name, String value, String hint) {
    html.append(
        Html.format(
            "<div><b>%s</b><span>%s</span><small>%s</small></div>%n",
            Html.escape(value), Html.escape(name), Html.escape(hint)));
    return this;
  }

  String write() {
    return html + "</div>\n";
  }
}
