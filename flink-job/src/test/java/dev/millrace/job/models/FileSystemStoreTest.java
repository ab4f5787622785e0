package dev.millrace.job.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.ElsewhereFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Names may come out of a pointer that somebody else has written. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../secret", "/secret", "file:/secret", "a\\b"})
  void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "hush");
    FileSystemStore store = store("models");

    assertRefused(() -> store.read(name));
    assertRefused(() -> store.put(name, file -> Files.writeString(file, "other")));
    assertRefused(() -> store.delete(name));

    assertThat(secret).hasContent("hush");
  }

  private static void assertRefused(ThrowingCallable use) {
    assertThatThrownBy(use)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no name of a file in");
  }

  private FileSystemStore store(String name) throws IOException {
    return new FileSystemStore(
        new org.apache.flink.core.fs.Path(
            ElsewhereFileSystem.SCHEME + "://" + directory.resolve(name)));
  }
}
