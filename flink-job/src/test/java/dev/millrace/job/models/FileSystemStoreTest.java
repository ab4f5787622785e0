package dev.millrace.job.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** At each step that a writer may die after, with what it leaves there. */
  @ParameterizedTest
  @CsvSource({
    "first, second half, , first",
    "first, , second, first",
    ", , second, second",
    ", second half, , ",
  })
  void whatAWriterThatDiedLeftIsEnded(String file, String unfinished, String whole, String read)
      throws IOException {
    FileSystemStore store = store("models");
    store.clean();
    leave("a", file);
    leave(".unfinished-a", unfinished);
    leave(".whole-a", whole);

    assertThat(content(store)).isEqualTo(read);
    assertThat(store.names()).isEqualTo(read == null ? List.of() : List.of("a"));
    store.clean();
    assertThat(content(store)).isEqualTo(read);
    assertThat(directory.resolve("models").toFile().list())
        .isEqualTo(read == null ? new String[0] : new String[] {"a"});
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", ""})
  void aFileIsReplacedOverWhatAWriterThatDiedLeft(String file) throws IOException {
    FileSystemStore store = store("models");
    store.clean();
    leave("a", file.isEmpty() ? null : file);
    leave(".whole-a", "second");

    store.put("a", out -> Files.writeString(out, "third"));

    assertThat(content(store)).isEqualTo("third");
    assertThat(directory.resolve("models").toFile().list()).containsExactly("a");
    leave(".whole-a", "second");
    store.delete("a");
    assertThat(content(store)).isNull();
  }

  @Test
  void whatAnotherWriterIsAtIsNotDeleted() throws IOException {
    FileSystemStore store = store("models");
    store.clean();
    Path half = directory.resolve("models/.unfinished-1-model-0.1.zip");
    Files.writeString(half, "half");

    store.clean();

    assertThat(half).exists();
    assertThat(store.names()).isEmpty();
  }

  @Test
  void onePointerWrittenTwiceAtATimeIsOneOfTheTwo() throws Exception {
    FileSystemStore store = store("models");
    store.clean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (String content : List.of("sooner", "later")) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 100; i++) {
                  write(store, content);
                }
              }));
    }
    for (CompletableFuture<Void> writer : writers) {
      writer.get(1, TimeUnit.MINUTES);
    }

    assertThat(content(store)).isIn("sooner", "later");
    store.put("a", file -> Files.writeString(file, "last"));
    assertThat(directory.resolve("models").toFile().list()).containsExactly("a");
    assertThat(content(store)).isEqualTo("last");
  }

  /** One of two at a time may be refused, but never leaves half a file. */
  private static void write(FileSystemStore store, String content) {
    try {
      store.put("a", file -> Files.writeString(file, content));
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("can't be written");
    }
  }

  @Test
  void whoeverReadsWhileAFileIsReplacedFindsAllOfOne() throws Exception {
    FileSystemStore store = store("models");
    List<String> contents = List.of("a".repeat(20_000), "b".repeat(20_000));
    store.put("a", file -> Files.writeString(file, contents.get(0)));
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get()) {
                assertThat(content(store)).isIn(contents);
              }
            });
    for (int i = 1; i <= 300; i++) {
      String next = contents.get(i % 2);
      store.put("a", file -> Files.writeString(file, next));
    }
    done.set(true);
    reader.get(1, TimeUnit.MINUTES);
  }

  private void leave(String name, String contentOrNull) throws IOException {
    if (contentOrNull != null) {
      Path file = Files.writeString(directory.resolve("models").resolve(name), contentOrNull);
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    }
  }

  /** Null where there is no such file. */
  private static String content(FileSystemStore store) {
    try (InputStream in = store.read("a")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    return new FileSystemStore(new org.apache.flink.core.fs.Path(directory.resolve(name).toUri()));
  }
}
