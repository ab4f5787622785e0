package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The page as one file that needs no server: scripts, styles and the history are in it. */
public final class StaticPage {

  private StaticPage() {}

  /** Creates or replaces a file. */
  public static void write(History history, Path file) throws IOException {
    Files.writeString(file, text(history));
  }

  static String text(History history) {
    String page = new String(Assets.page(), UTF_8);
    for (String style : Assets.STYLES) {
      page =
          replace(
              page,
              "<link rel=\"stylesheet\" href=\"/assets/%s\">".formatted(style),
              "<style>\n%s\n</style>".formatted(asset(style)));
    }
    String data =
        "<script type=\"application/json\" id=\"history\">%s</script>\n"
            .formatted(escape(history.json(false)));
    for (String script : Assets.SCRIPTS) {
      page =
          replace(
              page,
              "<script src=\"/assets/%s\"></script>".formatted(script),
              data + "<script>\n%s\n</script>".formatted(asset(script)));
      data = "";
    }
    return page;
  }

  private static String asset(String name) {
    return new String(Assets.find(name).orElseThrow(), UTF_8);
  }

  /** JSON that can't end the element it stands in, whatever names and reasons are in it. */
  static String escape(String json) {
    StringBuilder escaped = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static String replace(String page, String what, String by) {
    int at = page.indexOf(what);
    if (at < 0) {
      throw new IllegalStateException("The page doesn't name " + what);
    }
    return page.substring(0, at) + by + page.substring(at + what.length());
  }
}
