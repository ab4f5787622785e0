package dev.millrace.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a process of a cluster writes lies in the cluster's own directory. */
class ClusterDirectoriesTest {

  @TempDir Path directory;

  private ClusterFiles files;
  private Configuration flink;

  @BeforeEach
  void configure() throws IOException {
    Path shipped = Files.createDirectories(directory.resolve("home/conf/flink"));
    Files.writeString(
        shipped.resolve("config.yaml"),
        "jobmanager.memory.process.size: 1gb\ntaskmanager.memory.managed.size: 64mb\n");
    Files.createFile(shipped.resolve("log4j.properties"));
    files = new ClusterFiles(directory.resolve("cluster"));
    files.create();
    ClusterPlan plan = new ClusterPlan(1, 1, false, false, Ports.USUAL, 1_000, Map.of());
    flink = ClusterConfiguration.write(plan, shipped, files, Hosts.LOOPBACK.main());
  }

  @Test
  void noProcessWritesToTheMachinesTemporaryDirectory() {
    Launcher launcher = launcher();

    assertThat(
            Stream.of(
                launcher.jobManager("one"),
                launcher.application("one", Path.of("job.jar"), List.of()),
                launcher.taskManager("one"),
                launcher.zooKeeper("one")))
        .allSatisfy(
            command ->
                assertThat(command).contains("-Djava.io.tmpdir=" + files.root() + "/tmp/one"));
    assertThat(launcher.client(List.of())).contains("-Djava.io.tmpdir=" + files.root() + "/tmp");
  }

  @Test
  void memoryThatDoesNotFitIsToldWithWhatToChange() {
    flink.setString("taskmanager.memory.process.size", "100 gb");

    assertThatThrownBy(() -> launcher().taskManager("one"))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("Flink's memory settings don't fit together: TaskManager")
        .hasMessageEndingWith(" Change those that -D gives");
  }

  private Launcher launcher() {
    return new Launcher(
        flink, files, new Installation(directory.resolve("home"), ""), Hosts.LOOPBACK);
  }

  @Test
  void flinkFollowsTheProcessButForTheJobsJar() {
    assertThat(flink.toMap())
        .doesNotContainKeys("io.tmp.dirs", "web.tmpdir", "web.upload.dir")
        .containsEntry("user.artifacts.base-dir", files.root() + "/tmp/artifacts");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void whatMayHoldASecretIsForItsOwnerAlone() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertThat(permissions(files.config())).isEqualTo("rw-------");
      assertThat(permissions(files.temporary())).isEqualTo("rwx------");
      assertThat(permissions(files.recovery())).isEqualTo("rwx------");
      // As an older release left it.
      Files.setPosixFilePermissions(files.config(), PosixFilePermissions.fromString("rw-r--r--"));
      files.create();
      OwnerOnly.write(files.config(), List.of("s3.secret-key: k"));
    }
    assertThat(files.config()).hasContent("s3.secret-key: k");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void whatKilledProcessesLeftGoesWhenTheyStartAgain() throws IOException {
    files.emptyTemporary("one");
    files.emptyTemporary("two");
    Path left = Files.createFile(files.temporary("one").resolve("flink-rpc-akka.jar"));
    Path used = Files.createFile(files.temporary("two").resolve("flink-rpc-akka.jar"));
    Path log = Files.createFile(files.log("one"));

    files.emptyTemporary("one");

    assertThat(left).doesNotExist();
    assertThat(left.getParent()).exists();
    assertThat(used).exists();

    files.create();

    assertThat(files.temporary()).isEmptyDirectory();
    assertThat(log).exists();
  }
}
