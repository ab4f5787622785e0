package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {

  private final Map<String, String> properties =
      Map.of("java.io.tmpdir", System.getProperty("java.io.tmpdir"));

  @TempDir Path directory;

  @AfterEach
  void restoreProperties() {
    properties.forEach(System::setProperty);
    System.clearProperty(WorkDirectory.LOG_PROPERTY);
    System.clearProperty("org.bytedeco.javacpp.cachedir");
  }

  @Test
  void temporaryFilesAndNativeCodeGoIntoIt() {
    try (WorkDirectory work = WorkDirectory.open(directory.resolve("a b"), "demo")) {
      assertThat(Path.of(System.getProperty("java.io.tmpdir"))).isEqualTo(work.temporary());
      assertThat(Path.of(System.getProperty("org.bytedeco.javacpp.cachedir")))
          .isEqualTo(directory.resolve("a b/native"));
      assertThat(work.temporary()).exists();
    }
    assertThat(directory.resolve("a b/demo/tmp")).doesNotExist();
  }

  @Test
  void theNewestWholeStateIsFound() throws IOException {
    try (WorkDirectory work = WorkDirectory.open(directory, "train")) {
      assertThat(work.newestState(Instant.EPOCH)).isEmpty();
      Path older = state("savepoints/savepoint-1", 1_000);
      assertThat(work.newestState(Instant.EPOCH)).hasValue(older);
      Path newer = state("checkpoints/f00/chk-7", 2_000);
      Files.createDirectories(directory.resolve("train/checkpoints/f00/chk-8"));
      assertThat(work.newestState(Instant.EPOCH)).hasValue(newer);
      assertThat(work.newestState(Instant.ofEpochMilli(2_001))).isEmpty();
    }
  }

  private Path state(String name, long modified) throws IOException {
    Path state = Files.createDirectories(directory.resolve("train").resolve(name));
    Path metadata = Files.createFile(state.resolve("_metadata"));
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(modified));
    return state;
  }

  @Test
  void oneRunAtATimeUsesIt() {
    try (WorkDirectory first = WorkDirectory.open(directory, "demo")) {
      assertThatThrownBy(() -> WorkDirectory.open(directory, "demo"))
          .isInstanceOf(RunFailedException.class)
          .hasMessageContainingAll("Another run", first.root().toString(), "--work-dir");
      WorkDirectory.open(directory, "train").close();
    }
    WorkDirectory.open(directory, "demo").close();
  }

  @Test
  void clearingLeavesTheFilesOfOthers() throws IOException {
    try (WorkDirectory work = WorkDirectory.open(directory, "demo")) {
      Path stranger = Files.writeString(work.root().resolve("notes.txt"), "mine");
      Files.createDirectories(work.models().resolve("deep"));
      Files.writeString(work.metrics(), "{}");

      work.clear();

      assertThat(stranger).exists();
      assertThat(work.models()).doesNotExist();
      assertThat(work.metrics()).doesNotExist();
    }
  }
}
