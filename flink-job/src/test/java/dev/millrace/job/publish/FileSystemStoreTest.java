package dev.millrace.job.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemStoreTest {

  @TempDir private Path directory;

  @Test
  void filesAreReplacedReadListedAndDeleted() throws IOException {
    FileSystemStore store = store("models");
    assertThat(store.names()).isEmpty();
    store.clean();
    store.put("a", file -> Files.writeString(file, "first"));
    store.put("a", file -> Files.writeString(file, "second"));
    store.put("b", file -> Files.writeString(file, "b"));

    try (InputStream in = store.read("a")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("second");
    }
    assertThat(store.names()).containsExactlyInAnyOrder("a", "b");
    store.delete("a");
    store.delete("a");
    assertThat(store.names()).containsExactly("b");
    assertThatThrownBy(() -> store.read("a")).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void aFailureToWriteLeavesTheOldContent() throws IOException {
    FileSystemStore store = store("models");
    store.put("a", file -> Files.writeString(file, "first"));

    assertThatThrownBy(
            () ->
                store.put(
                    "a",
                    file -> {
                      Files.writeString(file, "half");
                      throw new IOException("no space");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("models/a", "no space");

    assertThat(directory.resolve("models/a")).hasContent("first");
  }

  private FileSystemStore store(String name) throws IOException {
    return new FileSystemStore(new org.apache.flink.core.fs.Path(directory.resolve(name).toUri()));
  }
}
