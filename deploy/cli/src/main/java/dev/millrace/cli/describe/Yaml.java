package dev.millrace.cli.describe;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.millrace.example.Excerpt;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts and numbers as YAML has them. */
final class Yaml {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*");

  private static final Set<String> RESERVED =
      Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private Yaml() {}

  /** In quotes where it could be read as something else. */
  static String text(String text) {
    boolean plain =
        PLAIN.matcher(text).matches() && !RESERVED.contains(text.toLowerCase(Locale.ROOT));
    return plain
        ? text
        : '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  static String list(Collection<String> texts) {
    return texts.stream().map(Yaml::text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Fit for a comment. */
  static String shown(String text) {
    return Excerpt.of(text);
  }

  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
