package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.RestoredProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {

  private static final String NATIVE = "org.bytedeco.javacpp.cachedir";

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  @Test
  void temporaryFilesAndNativeCodeGoIntoIt() {
    System.clearProperty(NATIVE);
    try (WorkDirectory work = WorkDirectory.open(directory.resolve("a b"), "demo")) {
      assertThat(Path.of(System.getProperty("java.io.tmpdir"))).isEqualTo(work.temporary());
      assertThat(Path.of(System.getProperty(NATIVE))).isEqualTo(directory.resolve("a b/native"));
      assertThat(work.temporary()).exists();
    }
    assertThat(directory.resolve("a b/demo/tmp")).doesNotExist();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void temporaryFilesAreForTheirOwnerAlone() throws IOException {
    try (WorkDirectory work = WorkDirectory.open(directory, "demo")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.temporary())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void nativeCodeIsUnpackedWhereTheUserSays() {
    System.setProperty(NATIVE, directory.resolve("elsewhere").toString());
    try (WorkDirectory work = WorkDirectory.open(directory, "demo")) {
      assertThat(System.getProperty(NATIVE)).isEqualTo(directory.resolve("elsewhere").toString());
      assertThat(work.temporary()).exists();
    }
    assertThat(directory.resolve("native")).doesNotExist();
  }

  @Test
  void whatAKilledRunLeftIsGone() throws IOException {
    Path left = directory.resolve("demo/tmp/minicluster/left.jar");
    Files.createDirectories(left.getParent());
    Files.createFile(left);
    try (WorkDirectory work = WorkDirectory.open(directory, "demo")) {
      assertThat(work.temporary()).isEmptyDirectory();
      Path own = Files.createFile(work.temporary().resolve("own"));
      assertThatThrownBy(() -> WorkDirectory.open(directory, "demo"))
          .isInstanceOf(RunFailedException.class);
      assertThat(own).as("files of the run that is under way").exists();
    }
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
