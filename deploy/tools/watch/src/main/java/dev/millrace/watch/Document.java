package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A page of something else, as one file: with styles and charts of the live page, and nothing from
 * elsewhere.
 */
public final class Document {

  private static final List<String> SCRIPTS =
      List.of(
          "uPlot.iife.min.js",
          "dom.js",
          "format.js",
          "marks.js",
          "export.js",
          "chart.js",
          Assets.REPORT);

  private Document() {}

  /**
   * The whole page.
   *
   * @param title plain text
   * @param style further CSS
   * @param content HTML, which has what is {@linkplain #escape escaped} and {@linkplain #chart
   *     charts}
   */
  public static String write(String title, String style, String content) {
    StringBuilder page =
        new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
            .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            .append("<title>")
            .append(escape(title))
            .append("</title>\n<link rel=\"icon\" href=\"data:,\">\n");
    Assets.STYLES.forEach(name -> page.append(element("style", text(name))));
    page.append(element("style", style))
        .append("</head>\n<body>\n<main>\n<h1>")
        .append(escape(title))
        .append("</h1>\n")
        .append(content)
        .append("</main>\n");
    SCRIPTS.forEach(name -> page.append(element("script", text(name))));
    return page.append("</body>\n</html>\n").toString();
  }

  /**
   * A chart, drawn when the page is open.
   *
   * @param told {@code label}, names {@code x} and {@code y} of the axes, and {@code series}: each
   *     a {@code name} and {@code points} of two numbers in order of the first, perhaps {@code
   *     kind} {@code bars} or {@code reference}. {@code mostX} and {@code mostY} are where the axes
   *     end; they begin at 0
   */
  public static String chart(ObjectNode told) {
    return "<figure class=\"plot\"><script type=\"application/json\">%s</script></figure>%n"
        .formatted(StaticPage.escape(told.toString()));
  }

  /** Text as the content of an element or of an attribute in double quotes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String element(String name, String content) {
    return "<%1$s>%n%2$s%n</%1$s>%n".formatted(name, content);
  }

  private static String text(String name) {
    return new String(Assets.find(name).orElseThrow(), UTF_8);
  }
}
