package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that rows and sentences for users have the figures of the benchmark pages that they link,
 * written as there. Figures have three digits or more. One of a wrong row there isn't noticed.
 */
class BenchmarkFiguresTest {

  private static final Path BENCHMARKS = Path.of("docs", "benchmarks");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*\\d");
  private static final Pattern SENTENCE_ENDS = Pattern.compile("(?<=\\.)\\s+|\\n\\s*\\n");

  /** A rate must link its page. */
  private static final Pattern RATE = Pattern.compile("[Ee]xamples(/s\\b| a second)");

  @Test
  void eachFigureIsOnAPageThatIsLinkedBesideIt() throws IOException {
    List<DocumentPage> pages = DocumentPage.all();
    Map<Path, Set<String>> measured =
        pages.stream()
            .filter(page -> page.path().startsWith(BENCHMARKS))
            .collect(Collectors.toMap(DocumentPage::path, page -> figures(page.text())));
    List<String> right = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (DocumentPage page : pages.stream().filter(DocumentPage::isForUsers).toList()) {
      for (String statement : statements(page)) {
        List<Path> linked = linked(page, statement);
        for (String figure : claimed(statement, linked)) {
          boolean isThere =
              linked.stream().anyMatch(at -> measured.getOrDefault(at, Set.of()).contains(figure));
          (isThere ? right : wrong).add(page.path() + ": " + figure);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(right).hasSizeGreaterThan(50);
  }

  /** Returns the rows of a page's tables, and its sentences. */
  private static List<String> statements(DocumentPage page) {
    Map<Boolean, List<String>> lines =
        page.prose().lines().collect(Collectors.partitioningBy(line -> line.startsWith("|")));
    String text = String.join("\n", lines.get(false));
    return Stream.concat(lines.get(true).stream(), SENTENCE_ENDS.splitAsStream(text)).toList();
  }

  private static List<Path> linked(DocumentPage page, String statement) {
    return LINK.matcher(statement)
        .results()
        .map((MatchResult link) -> page.path().resolveSibling(link.group(1)).normalize())
        .filter(path -> path.startsWith(BENCHMARKS))
        .toList();
  }

  /** In a row, what stands before its first link may come from elsewhere. */
  private static Set<String> claimed(String statement, List<Path> linked) {
    if (linked.isEmpty() && !RATE.matcher(statement).find()) {
      return Set.of();
    }
    boolean isRow = statement.startsWith("|");
    return figures(isRow ? statement.substring(Math.max(0, statement.indexOf('['))) : statement);
  }

  private static Set<String> figures(String text) {
    return NUMBER
        .matcher(text)
        .results()
        .map((MatchResult number) -> number.group().replace(",", ""))
        .filter(number -> number.replace(".", "").length() >= 3)
        .collect(Collectors.toSet());
  }
}
