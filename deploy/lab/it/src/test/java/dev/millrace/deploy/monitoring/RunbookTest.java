package dev.millrace.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The runbook says what to do at each alert, and watches each service level. */
class RunbookTest {

  private static final Path PAGE = Path.of("..", "..", "..", "docs", "operate", "runbook.md");
  private static final Pattern ENTRY = Pattern.compile("(?m)^### (\\w+ \\(\\w+\\))$");
  private static final Pattern LEVEL = Pattern.compile("(?m)^\\|.*\\| (`Millrace.*`) \\|$");
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");

  @Test
  void hasEachAlertOnceInItsOrder() throws IOException {
    assertThat(found(ENTRY, Files.readString(PAGE)))
        .containsExactlyElementsOf(
            Monitoring.alerts().stream()
                .map(
                    alert ->
                        "%s (%s)".formatted(name(alert), alert.at("/labels/severity").asText()))
                .toList());
  }

  @Test
  void eachServiceLevelIsWatchedByAnAlert() throws IOException {
    String page = Files.readString(PAGE);
    String levels = page.substring(page.indexOf("| level |"), page.indexOf("## Cluster"));
    List<String> rows = levels.lines().filter(line -> line.startsWith("| ")).skip(2).toList();

    assertThat(rows).hasSizeGreaterThan(3).allMatch(row -> LEVEL.matcher(row).matches());
    assertThat(found(LEVEL, levels).flatMap(alerts -> found(QUOTED, alerts)))
        .isSubsetOf(Monitoring.alerts().stream().map(RunbookTest::name).toList());
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1));
  }

  private static String name(JsonNode alert) {
    return alert.path("alert").asText();
  }
}
