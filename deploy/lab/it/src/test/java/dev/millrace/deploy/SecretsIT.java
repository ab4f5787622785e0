package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.digits.Digits;
import dev.millrace.local.cluster.ClusterView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A password that was written into the job's options, which it needn't be. */
@Tag("slow")
@ExtendWith(SharedCluster.class)
class SecretsIT {

  private static final String PASSWORD = "wont-tell-anybody";

  /** What a browser can ask Flink for. */
  private static final List<String> PAGES =
      List.of(
          "/jobmanager/config",
          "/jobmanager/environment",
          "/jobmanager/metrics",
          "/jobs/%s",
          "/jobs/%s/config",
          "/jobs/%s/plan",
          "/jobs/%s/accumulators",
          "/jobs/%s/exceptions",
          "/jobs/%s/checkpoints",
          "/jobs/%s/checkpoints/config",
          "/jobs/%s/metrics");

  @Test
  void isInNoPageNoLogAndNoFileThatTheJobWrites(TestCluster cluster) throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), "secrets", 1, new Digits(2_000, 3));
    Path directory = cluster.directory().resolve("secrets");
    TrainingRun run =
        new TrainingRun(
            cluster.flink(),
            topic,
            directory,
            Map.of(
                "input.bounded",
                "false",
                "model.name",
                "linear",
                "snapshot.interval",
                "1 s",
                "kafka.ssl.truststore.password",
                PASSWORD,
                "kafka.sasl.jaas.config",
                "unused required password='%s';".formatted(PASSWORD)));

    String job = run.submit(1);
    run.awaitExamples(500);

    for (String page : PAGES) {
      assertThat(page(cluster, page.formatted(job))).as(page).doesNotContain(PASSWORD);
    }
    run.stop(job);
    assertThat(filesWithPassword(cluster.cluster().files().logs())).isEmpty();
    // Tried again where a checkpoint is deleted meanwhile.
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(filesWithPassword(directory)).containsExactly(run.config()));
  }

  private static String page(TestCluster cluster, String path) throws Exception {
    try (ClusterView view = ClusterView.of(cluster.cluster().configuration())) {
      URI address = URI.create(view.webPage()).resolve(path);
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
          .body();
    }
  }

  private static List<Path> filesWithPassword(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).isNotEmpty();
      return all.stream().filter(SecretsIT::hasPassword).toList();
    }
  }

  private static boolean hasPassword(Path file) {
    try {
      return Files.readString(file, ISO_8859_1).contains(PASSWORD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
