package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The archive as it is taken home: unpacked into an empty directory, by somebody who has neither
 * Maven nor a checkout nor Flink. {@code -Prelease} and {@code -Pnightly} make it.
 */
@Tag("nightly")
@DisabledOnOs(OS.WINDOWS)
class TakeHomeIT {

  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path directory = Distribution.workDirectory("take-home");
  private final Path mavenWasRun = directory.resolve("maven-was-run");
  private final Ports ports = Ports.free();
  private final String broker = "127.0.0.1:" + ports.broker();

  private Path home;

  @BeforeEach
  void unpack() throws Exception {
    Process tar =
        new ProcessBuilder("tar", "-xzf", Distribution.archive().toString())
            .directory(directory.toFile())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    try (var unpacked = Files.newDirectoryStream(directory, "millrace-*")) {
      home = unpacked.iterator().next();
    }
    Path mvn = Files.createDirectories(directory.resolve("bin")).resolve("mvn");
    Files.writeString(mvn, "#!/bin/sh\ntouch '%s'\nexit 1\n".formatted(mavenWasRun));
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(directory.resolve("user"));
  }

  /** Whatever a test has left; the archive's files are as many as the distribution's. */
  @AfterEach
  void leaveNothing() throws Exception {
    command("bin/millrace", "cluster", "stop").start().waitFor();
    ours().forEach(ProcessHandle::destroyForcibly);
    command("rm", "-rf", home.toString()).start().waitFor();
  }

  @Test
  void theDemoRuns() throws Exception {
    String said = run("bin/millrace", "demo", "--examples", "1000", "--ui.port", "off");

    assertThat(said).contains("Examples:       1,000", "Model:");
    assertNothingIsLeft();
  }

  @Test
  void fromRecordsToPredictionsOnAClusterWithABroker() throws Exception {
    Files.writeString(directory.resolve("user/payments.jsonl"), payments());
    run("bin/millrace", "describe", "--data", "payments.jsonl", "--output", "train.yaml");
    run(
        "bin/millrace cluster start --broker --taskmanagers 1 --rest-port %s --rpc-port %s"
                .formatted(ports.rest(), ports.rpc())
            + " --metrics-port %s --broker-port %s".formatted(ports.metrics(), ports.broker()));
    run(
        "bin/millrace produce --data json:payments.jsonl --config train.yaml --partitions 1"
            + kafka());

    run(
        "bin/flink run -p 1 %s --config train.yaml --input.bounded true --snapshot.directory %s"
                .formatted(home.resolve("job/millrace-job.jar"), directory.resolve("models"))
            + kafka());
    assertThat(directory.resolve("models/latest.json")).exists();

    String said =
        run(
            "bin/millrace train --config train.yaml --input.bounded true --parallelism 1"
                + " --ui.port off"
                + kafka());
    assertThat(said).contains("600");

    kill("broker");
    assertThat(run("bin/millrace", "cluster", "start")).contains("Started again: broker");
    await().atMost(LIMIT).until(this::theTopicIsThere);

    answers("v2/health/ready", "bin/millrace", "serve", "--config", "train.yaml", "--port", "0");
    answers("", "bin/millrace", "watch", "--metrics", "millrace-work/train/metrics.jsonl");

    run("bin/millrace", "cluster", "stop");
    assertNothingIsLeft();
  }

  @Test
  void whatIsInTheOtherArchiveIsAskedFor() throws Exception {
    Process engine = command("bin/engine", "torch").start();
    String said = new String(engine.getInputStream().readAllBytes(), UTF_8);

    assertThat(engine.waitFor()).isEqualTo(1);
    assertThat(said).contains("-torch.tar.gz over " + home);
    assertThat(home.resolve("engines/torch")).doesNotExist();
    assertThat(home.resolve("completion/millrace")).exists();
    assertThat(home.resolve("docs/reference/options.schema.json")).exists();
  }

  private String kafka() {
    return " --kafka.bootstrap.servers " + broker;
  }

  private static String payments() {
    return IntStream.range(0, 600)
        .mapToObj(
            i ->
                String.format(
                    Locale.ROOT,
                    "{\"amount\":%s,\"shop\":\"%s\",\"class\":\"%s\"}%n",
                    i % 3 == 0 ? 90 + i % 7 : 10 + i % 5,
                    i % 2 == 0 ? "food" : "toys",
                    i % 3 == 0 ? "fraud" : "legit"))
        .collect(Collectors.joining());
  }

  private ProcessBuilder command(String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    if (command.get(0).startsWith("bin/")) {
      command.set(0, home.resolve(command.get(0)).toString());
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.resolve("user").toFile())
            .redirectErrorStream(true);
    String path = System.getenv("PATH");
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                directory.resolve("bin") + ":" + path,
                "HOME",
                directory.resolve("user").toString(),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "MILLRACE_JAVA_OPTS",
                "-XX:TieredStopAtLevel=1 -Dorg.bytedeco.javacpp.cachedir="
                    + System.getProperty("org.bytedeco.javacpp.cachedir")));
    return builder;
  }

  private String run(String line) throws Exception {
    return run(line.split(" ", -1));
  }

  /** Runs a command to its end, and returns what it has said. */
  private String run(String... words) throws Exception {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process = command(words).redirectOutput(output.toFile()).start();
    boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    String said = Files.readString(output);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private void kill(String name) throws Exception {
    Path file = directory.resolve("user/millrace-work/cluster/run").resolve(name + ".pid");
    long pid = Long.parseLong(Files.readString(file).split(" ", -1)[0]);
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.destroyForcibly();
    await().atMost(LIMIT).until(() -> !process.isAlive());
  }

  private boolean theTopicIsThere() throws Exception {
    String check = "bin/millrace check --config train.yaml" + kafka();
    return command(check.split(" ", -1))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  /** Starts a command that serves pages, asks for one, and has it stopped. */
  private void answers(String page, String... words) throws Exception {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process = command(words).redirectOutput(output.toFile()).start();
    try {
      String address =
          await()
              .atMost(LIMIT)
              .until(
                  () -> {
                    String said = Files.readString(output);
                    assertThat(process.isAlive()).as(said).isTrue();
                    Matcher matcher = ADDRESS.matcher(said);
                    return matcher.find() ? Optional.of(matcher.group()) : Optional.<String>empty();
                  },
                  Optional::isPresent)
              .orElseThrow();
      await().atMost(LIMIT).until(() -> status(address + page) == 200);
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  private static int status(String address) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private void assertNothingIsLeft() {
    assertThat(mavenWasRun).doesNotExist();
    await().atMost(LIMIT).untilAsserted(() -> assertThat(ours()).isEmpty());
  }

  private List<ProcessHandle> ours() {
    return ProcessHandle.allProcesses()
        .filter(
            process -> process.info().commandLine().orElse("").contains(directory + "/millrace-"))
        .toList();
  }
}
