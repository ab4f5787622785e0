package dev.millrace.job.evaluate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {

  @TempDir Path directory;

  @Test
  void replacesTheFileAndLeavesNothingElse() throws IOException {
    Files.writeString(directory.resolve("b.html"), "an older one");

    AtomicFiles.write(uri("new/a.json"), "{\"é\": 1}");
    AtomicFiles.write(uri("b.html"), "a page");

    assertThat(directory.resolve("new/a.json")).usingCharset(UTF_8).hasContent("{\"é\": 1}");
    assertThat(directory.resolve("b.html")).hasContent("a page");
    assertThat(directory.resolve("new")).isDirectoryContaining("glob:**a.json");
    assertThat(directory.toFile().list()).hasSize(2);
  }

  @Test
  void leavesNothingWhereTheFileCannotBeWritten() throws IOException {
    Files.writeString(directory.resolve("file"), "");
    Files.createDirectories(directory.resolve("taken/within"));

    assertThatIOException()
        .isThrownBy(() -> AtomicFiles.write(uri("file/page.html"), "new"))
        .withMessageContaining("file/page.html");
    assertThatIOException()
        .isThrownBy(() -> AtomicFiles.write(uri("taken"), "new"))
        .withMessageContaining("taken");
    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("file", "taken");
  }

  private String uri(String name) {
    return directory.resolve(name).toUri().toString();
  }
}
