package dev.millrace.job.setup;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages in docs/operate/troubleshooting.md are those that the code has. */
class TroubleshootingPageTest {

  private static final Path CHECKOUT = Path.of("..");

  /** What follows it isn't Millrace's. */
  private static final String OTHERS = "## Messages of Flink";

  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| ([^|]+) \\|");
  private static final Pattern MESSAGE = Pattern.compile("`([^`]+)`");

  /** Where one text goes on in the next line of the code. */
  private static final Pattern CONTINUATION = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void itsMessagesAreThoseOfTheCode() throws IOException {
    String page = Files.readString(CHECKOUT.resolve("docs/operate/troubleshooting.md"));
    assertThat(page).contains(OTHERS);
    List<String> messages =
        FIRST_CELL
            .matcher(page.substring(0, page.indexOf(OTHERS)))
            .results()
            .flatMap(cell -> MESSAGE.matcher(cell.group(1)).results())
            .map((MatchResult message) -> message.group(1))
            .toList();
    assertThat(messages).hasSizeGreaterThan(25);

    String code = code();
    List<String> unknown =
        messages.stream()
            .flatMap(message -> Arrays.stream(message.split("…", -1)))
            .map(String::strip)
            .filter(not(code::contains))
            .toList();

    assertThat(unknown)
        .as(
            "pieces of messages in docs/operate/troubleshooting.md that no code has: correct the page")
        .isEmpty();
  }

  /** The production code, with each text in one piece, and the scripts. */
  private static String code() throws IOException {
    try (Stream<Path> files = Files.walk(CHECKOUT)) {
      String all =
          files
              .filter(Files::isRegularFile)
              .filter(TroubleshootingPageTest::isCode)
              .map(TroubleshootingPageTest::text)
              .collect(Collectors.joining("\n"));
      return CONTINUATION.matcher(all).replaceAll("");
    }
  }

  private static boolean isCode(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains("/src/main/java/") || path.startsWith("../deploy/bin/");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
