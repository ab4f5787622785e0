package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.local.cluster.Hosts;
import dev.millrace.local.cluster.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of DL4J, as the main of a jar that is given to {@code flink run}, on a cluster of
 * processes with DL4J in Flink's lib/.
 */
@Tag("slow")
class SubmittedProgramsIT {

  private static final Pattern ACCURACY = Pattern.compile("(?m)^accuracy (\\d[\\d.]*)$");
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** Where libraries are unpacked: without it they go to the user's home. */
  private static final String NATIVE = "org.bytedeco.javacpp.cachedir";

  private static Installation installation;
  private static TestCluster cluster;
  private static Path jar;

  @BeforeAll
  static void start() throws Exception {
    installation = Distribution.withDl4j();
    cluster =
        TestCluster.start(
            "submitted",
            installation,
            TestCluster.plan(3, false, TestCluster.shortLived()),
            Hosts.LOOPBACK);
    jar = cluster.directory().resolve("programs.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> classes = Files.list(Distribution.programs())) {
      for (Path type : classes.toList()) {
        out.putNextEntry(new JarEntry("programs/" + type.getFileName()));
        Files.copy(type, out);
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"averaging", "sharing"})
  void aNetworkIsTrained(String program) throws Exception {
    String output = run(program);

    Matcher accuracy = ACCURACY.matcher(output);
    assertThat(accuracy.find()).as(output).isTrue();
    assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThan(0.85);
  }

  @Test
  void aNetworkIsAsked() throws Exception {
    assertThat(run("evaluation")).contains("examples 208, predictions 208, scores 208");
  }

  @Test
  void aMasterLosesAWorkerAndNoExample() throws Exception {
    CompletableFuture<String> program = CompletableFuture.supplyAsync(() -> run("master"));
    String job = JobProcesses.awaitRunning(cluster, "fit", program);
    JobProcesses.awaitCheckpoint(cluster, job);

    JobProcesses.taskManagerOf(cluster, job).kill();

    await()
        .atMost(LIMIT)
        .until(
            () -> {
              cluster.cluster().startMissing();
              return program.isDone();
            });
    assertThat(program.get()).contains("accuracy 0.9");
    EpochLedger.requireAllOnce(training(job), 24, 301 * 16);
  }

  /** Returns the directory that has the job's checkpoints. */
  private static Path training(String job) throws IOException {
    try (Stream<Path> files =
        Files.walk(cluster.cluster().files().conf().resolveSibling("checkpoints"))) {
      return files
          .filter(file -> file.endsWith(job))
          .findFirst()
          .orElseThrow()
          .getParent()
          .getParent();
    }
  }

  private static String run(String program) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(
                  List.of(
                      "java",
                      "@" + installation.home().resolve("conf/jvm.options"),
                      "-XX:TieredStopAtLevel=1",
                      "-Djava.io.tmpdir=" + cluster.directory(),
                      "-D%s=%s".formatted(NATIVE, System.getProperty(NATIVE)),
                      "-cp",
                      installation.flinkClassPath(),
                      "org.apache.flink.client.cli.CliFrontend",
                      "run",
                      "-p",
                      "2",
                      "-C",
                      Distribution.jobJar().toUri().toString(),
                      "-c",
                      "programs.Submitted",
                      jar.toString(),
                      program))
              .redirectErrorStream(true);
      builder.environment().put("FLINK_CONF_DIR", cluster.cluster().files().conf().toString());
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
