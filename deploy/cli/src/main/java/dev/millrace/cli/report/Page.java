package dev.millrace.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What all pages have around their content; they need no script and no other file. */
final class Page {

  private Page() {}

  /**
   * A whole document.
   *
   * @param title plain text
   * @param millrace the release that writes it
   * @param content HTML
   */
  static String write(String title, String millrace, String content) {
    String escaped = Html.escape(title);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
        + escaped
        + "</title>\n<style>\n"
        + style()
        + "</style>\n</head>\n<body>\n<h1>"
        + escaped
        + "</h1>\n"
        + content
        + "<footer>Millrace "
        + Html.escape(millrace)
        + "</footer>\n</body>\n</html>\n";
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
