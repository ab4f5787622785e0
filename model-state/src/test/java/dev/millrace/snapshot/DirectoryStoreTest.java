package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryStoreTest {

  @TempDir private Path directory;

  @Test
  void aFaultOfTheEngineLeavesNothingEither() {
    SnapshotStore store = SnapshotStore.directory(directory);

    assertThatThrownBy(
            () ->
                store.put(
                    "model-0.1.zip",
                    file -> {
                      Files.writeString(file, "half");
                      throw new IllegalStateException("planted");
                    }))
        .hasMessage("planted");

    assertThat(directory).isEmptyDirectory();
  }

  /** A job that ends may still be at it when the next one starts. */
  @Test
  void whatAnotherWriterIsAtIsNotDeleted() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);

    store.put(
        "model",
        file -> {
          Files.writeString(file, "half");
          SnapshotStore.directory(directory).clean();
          assertThat(file).exists();
        });

    assertThat(directory.resolve("model")).hasContent("half");
  }

  /** A rollback and the job may write the same pointer. */
  @Test
  void oneFileWrittenTwiceAtATimeIsOneOfTheTwo() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);

    store.put(
        "latest.json",
        file -> {
          Files.writeString(file, "later");
          store.put("latest.json", other -> Files.writeString(other, "sooner"));
          assertThat(directory.resolve("latest.json")).hasContent("sooner");
        });

    assertThat(directory.resolve("latest.json")).hasContent("later");
    assertThat(directory).isDirectoryNotContaining("glob:**.unfinished*");
  }

  @Test
  void aPlaceThatIsNoDirectoryIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> SnapshotStore.directory(file).clean())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "there is such a file already")
        .hasCauseInstanceOf(IOException.class);
  }
}
