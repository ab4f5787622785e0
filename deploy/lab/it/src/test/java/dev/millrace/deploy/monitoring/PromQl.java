package dev.millrace.deploy.monitoring;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What there is to know of a query without asking Prometheus. */
final class PromQl {

  private static final Pattern STRINGS = Pattern.compile("\"[^\"]*\"");
  private static final Pattern MATCHERS = Pattern.compile("\\{[^}]*}");
  private static final Pattern LABEL_LISTS =
      Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

  /** Not the unit of a duration, which follows a digit, nor a variable of Grafana's. */
  private static final Pattern WORD =
      Pattern.compile("(?<![\\w$])[a-zA-Z_:][\\w:]*(?!\\w|\\s*\\()");

  private static final Set<String> KEYWORDS =
      Set.of("and", "or", "unless", "offset", "bool", "Inf", "NaN");

  private PromQl() {}

  /** Names of the metrics that a query asks for: all words that are nothing else. */
  static Set<String> metrics(String query) {
    String bare = STRINGS.matcher(query).replaceAll("");
    bare = MATCHERS.matcher(bare).replaceAll("");
    bare = LABEL_LISTS.matcher(bare).replaceAll("");
    Set<String> metrics = new TreeSet<>();
    for (Matcher word = WORD.matcher(bare); word.find(); ) {
      if (!KEYWORDS.contains(word.group())) {
        metrics.add(word.group());
      }
    }
    return metrics;
  }
}
