package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.FakeCheckout.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of a checkout build what they should, and run on it. */
@DisabledOnOs(OS.WINDOWS)
class CheckoutScriptTest {

  @TempDir Path directory;

  private FakeCheckout checkout;
  private Path flinkHome;

  @BeforeEach
  void checkout() throws IOException {
    checkout = new FakeCheckout(directory);
    flinkHome = Files.createDirectories(directory.resolve("flink"));
    Files.createDirectories(flinkHome.resolve("bin"));
    FakeCheckout.program(flinkHome.resolve("bin/flink"), "echo Flink of its own");
  }

  /** Another build would lose what its profiles have added. */
  @Test
  void whatMavenHasBuiltIsTakenUntilASourceIsEdited() throws Exception {
    Path sources = Files.createDirectories(directory.resolve("flink-job/src/main"));
    Path source = Files.createFile(sources.resolve("Job.java"));
    Instant build = Instant.now();
    modified(checkout.home().resolve("job"), build);
    // As in each build, so that bytes can be compared.
    modified(checkout.home().resolve("job/millrace-job.jar"), Instant.EPOCH);
    modified(source, build.minusSeconds(1));

    assertThat(checkout.run(Map.of(), "millrace", "options").output())
        .contains("dev.millrace.cli.MillraceCli")
        .doesNotContain("Building");

    modified(source, build.plusSeconds(1));

    assertThat(checkout.run(Map.of(), "millrace", "options").output())
        .contains("Building Millrace", "The build failed");
  }

  private static void modified(Path file, Instant when) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(when));
  }

  /** The machine's own /lib is none. */
  @Test
  void flinkThatIsMissingIsNamed() throws Exception {
    Path flink = checkout.home().toRealPath().resolve("opt/flink");
    Files.delete(flink);

    assertThat(checkout.run(Map.of(), "millrace", "options").output())
        .startsWith("There is no Flink in " + flink);
  }

  @Test
  void aStoppedClusterIsNone() throws Exception {
    Path cluster = directory.resolve("millrace-work/cluster");
    Files.createDirectories(cluster.resolve("run"));
    Files.createDirectories(cluster.resolve("conf"));
    Files.createFile(cluster.resolve("conf/config.yaml"));

    assertThat(flink(Map.of()).output())
        .contains("There is no cluster in millrace-work/cluster/conf");
    assertThat(flink(Map.of("FLINK_HOME", flinkHome.toString())))
        .isEqualTo(new Answer(0, "Flink of its own\n"));

    Files.createFile(cluster.resolve("run/jobmanager-1.pid"));

    assertThat(flink(Map.of("FLINK_HOME", flinkHome.toString())).output())
        .contains("org.apache.flink.client.cli.CliFrontend");
  }

  /** Flink's client and a local cluster find what {@code millrace check} finds. */
  @ParameterizedTest
  @ValueSource(strings = {"flink", "millrace"})
  void fileSystemsAreThoseOfFlinkAndHadoop(String script) throws Exception {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    Files.createFile(conf.resolve("config.yaml"));
    Files.createDirectories(flinkHome.resolve("plugins"));
    Map<String, String> environment =
        Map.of(
            "FLINK_CONF_DIR",
            conf.toString(),
            "FLINK_HOME",
            flinkHome.toString(),
            "HADOOP_CLASSPATH",
            "/hadoop/lib/*",
            "HADOOP_CONF_DIR",
            "/hadoop/conf");

    String output = checkout.run(environment, script, "cluster", "start").output();

    assertThat(output)
        .contains("plugins: %s/plugins".formatted(flinkHome))
        .contains(flinkClassPath(script) + "/opt/flink/*:/hadoop/lib/*:/hadoop/conf\n");
  }

  /** A local cluster's processes get that of the property. */
  private String flinkClassPath(String script) throws IOException {
    Path home = checkout.home().toRealPath();
    return script.equals("flink") ? "-cp\n" + home : "-Dmillrace.flink.classpath=" + home;
  }

  private Answer flink(Map<String, String> environment) throws Exception {
    return checkout.run(environment, "flink", "list");
  }
}
