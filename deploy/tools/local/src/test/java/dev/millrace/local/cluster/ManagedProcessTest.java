package dev.millrace.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class ManagedProcessTest {

  @TempDir Path directory;
  private ClusterFiles files;

  @BeforeEach
  void makeFiles() throws Exception {
    files = new ClusterFiles(directory);
    files.create();
  }

  @Test
  void isFoundAgainAndStopped() throws Exception {
    ManagedProcess.start("sleeper", List.of("sleep", "600"), Map.of(), files);

    ManagedProcess found = ManagedProcess.read("sleeper", files);
    assertThat(files.processes()).containsExactly("sleeper");
    assertThat(found.isAlive()).isTrue();
    found.stop(Duration.ofMinutes(1));

    assertThat(found.isAlive()).isFalse();
    assertThat(files.processes()).isEmpty();
  }

  /** Ids are used again: a process of somebody else's must not be ended. */
  @Test
  void anotherProcessOfItsIdIsNotIt() throws Exception {
    ProcessHandle other = ProcessHandle.current();
    Files.writeString(files.pid("gone"), other.pid() + " 1000");

    ManagedProcess gone = ManagedProcess.read("gone", files);
    assertThat(gone.isAlive()).isFalse();
    gone.stop(Duration.ofSeconds(1));

    assertThat(other.isAlive()).isTrue();
    assertThat(files.processes()).isEmpty();
  }

  /** The time at which a process started changes with the machine's clock. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void itIsKnownByTheTicksAtWhichItStarted() throws Exception {
    ManagedProcess sleeper =
        ManagedProcess.start("sleeper", List.of("sleep", "600"), Map.of(), files);

    assertThat(Files.readString(files.pid("sleeper")).strip())
        .isEqualTo(sleeper.pid() + " " + ticks(sleeper.pid()));
    sleeper.stop(Duration.ofMinutes(1));
  }

  private static String ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return stat.replaceFirst(".*\\) ", "").split(" ", -1)[19];
  }

  /** Its parent never asks how it ended, as the first process of many containers doesn't. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void whatHasEndedUnderAParentThatDoesNotAskIsNotAlive() throws Exception {
    Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
    try {
      long pid = Long.parseLong(parent.inputReader().readLine());
      ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
      Files.writeString(files.pid("child"), pid + " " + ticks(pid));
      ManagedProcess found = ManagedProcess.read("child", files);
      assertThat(found.isAlive()).isTrue();

      child.destroyForcibly();

      await().until(() -> !found.isAlive());
      assertThat(child.isAlive()).as("to Java it is").isTrue();
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void aFileThatIsNoneOfItsOwnIsNamed() throws Exception {
    Files.writeString(files.pid("odd"), "what");

    assertThatThrownBy(() -> ManagedProcess.read("odd", files))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("odd.pid");
  }
}
