package dev.millrace.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsPageTest {

  private static final Path PAGE = Path.of("..", "docs", "options.md");

  @Test
  void thePublishedPageIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("millrace.remake")) {
      Files.writeString(PAGE, OptionsPage.markdown());
    }

    assertThat(PAGE)
        .as("docs/options.md is stale: run this test with -Dmillrace.remake=true")
        .hasContent(OptionsPage.markdown());
  }
}
