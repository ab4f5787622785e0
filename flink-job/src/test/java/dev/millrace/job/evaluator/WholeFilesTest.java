package dev.millrace.job.evaluator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFilesTest {

  @TempDir Path directory;

  @Test
  void writesAllAndNothingElse() throws IOException {
    Files.writeString(directory.resolve("b.html"), "an older one");

    WholeFiles.write(Map.of(uri("new/a.json"), "{\"é\": 1}", uri("b.html"), "a page"));

    assertThat(directory.resolve("new/a.json")).hasContent("{\"é\": 1}");
    assertThat(directory.resolve("b.html")).hasContent("a page");
    assertThat(directory.resolve("new")).isDirectoryContaining("glob:**a.json");
    assertThat(directory.toFile().list()).hasSize(2);
  }

  @Test
  void writesNothingIfOneCannotBeWritten() throws IOException {
    Files.writeString(directory.resolve("file"), "");
    Files.writeString(directory.resolve("a.json"), "an older one");
    Map<String, String> contents = new LinkedHashMap<>();
    contents.put(uri("a.json"), "new");
    contents.put(uri("file/page.html"), "new");

    assertThatIOException()
        .isThrownBy(() -> WholeFiles.write(contents))
        .withMessageContaining("file/page.html");
    assertThat(directory.resolve("a.json")).hasContent("an older one");
    assertThat(directory.toFile().list()).hasSize(2);
  }

  private String uri(String name) {
    return directory.resolve(name).toUri().toString();
  }
}
