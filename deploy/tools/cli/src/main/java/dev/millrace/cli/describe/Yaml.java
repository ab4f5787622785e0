package dev.millrace.cli.describe;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.millrace.example.Excerpt;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts and numbers as YAML has them. */
public final class Yaml {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*");

  private static final Set<String> RESERVED =
      Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private Yaml() {}

  /** A text, in quotes where it could be read as something else. */
  public static String text(String text) {
    boolean plain =
        PLAIN.matcher(text).matches() && !RESERVED.contains(text.toLowerCase(Locale.ROOT));
    return plain
        ? text
        : '"'
            + printable(String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)))
            + '"';
  }

  /** A list of texts. */
  public static String list(Collection<String> texts) {
    return texts.stream().map(Yaml::text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** A text that is fit for a comment. */
  static String shown(String text) {
    return printable(Excerpt.of(text));
  }

  /** A file of YAML has no half characters, and no signs that nobody sees. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              int type = Character.getType(point);
              boolean seen =
                  type != Character.SURROGATE
                      && type != Character.CONTROL
                      && type != Character.FORMAT
                      && type != Character.UNASSIGNED
                      && type != Character.PRIVATE_USE
                      && type != Character.LINE_SEPARATOR
                      && type != Character.PARAGRAPH_SEPARATOR;
              if (seen) {
                printable.appendCodePoint(point);
              } else {
                for (char c : Character.toChars(point)) {
                  printable.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                }
              }
            });
    return printable.toString();
  }

  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
