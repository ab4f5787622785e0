package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each Java snippet of docs/guides/in-your-program.md stands in {@link ApiPage}, which the compiler
 * has seen.
 */
class ApiPageTest {

  private static final Path PAGE = Path.of("..", "docs", "guides", "in-your-program.md");
  private static final Path COMPILED =
      Path.of("src", "test", "java", "dev", "millrace", "api", "ApiPage.java");

  @Test
  void everySnippetIsCompiled() throws IOException {
    List<String> snippets =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult match) -> words(match.group(1)))
            .toList();
    String compiled = words(Files.readString(COMPILED));

    assertThat(snippets).hasSizeGreaterThan(3);
    assertThat(snippets).allSatisfy(snippet -> assertThat(compiled).contains(snippet));
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", "");
  }
}
