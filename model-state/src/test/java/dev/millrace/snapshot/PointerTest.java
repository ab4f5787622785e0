package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PointerTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"../other.zip", "/etc/passwd", "..", "a/b.zip", "a\\b.zip", "", "c:d.zip"})
  void namesNoFileElsewhere(String name) throws IOException {
    String text = "{\"version\":\"1.2\",\"archive\":\"%s\",\"description\":\"model-1.2.json\"}";
    Files.writeString(
        directory.resolve(Pointer.LATEST), text.formatted(name.replace("\\", "\\\\")));

    assertThatThrownBy(() -> LatestSnapshot.find(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the files of a snapshot lie beside it");
    assertThatThrownBy(() -> SnapshotStore.directory(directory).put(name, file -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no name of a file in " + directory);
    assertThat(directory.resolveSibling("other.zip")).doesNotExist();
  }
}
