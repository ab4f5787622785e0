package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.local.cluster.NetworkNamespaces;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The images are built, and the services of {@code compose.yaml} run from them: read-only, as their
 * users, without a privilege. Bases stand in for those of registries, and the broker for Kafka's.
 */
class ContainersIT {

  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final int RECORDS = 6_000;
  private static final List<String> SERVICES =
      List.of("kafka", "topics", "jobmanager", "taskmanager-1", "taskmanager-2", "serve", "watch");
  private static final Path HOME = Path.of(System.getProperty("millrace.distribution"));
  private static final Path DOCKER = HOME.resolve("docker");
  private static final String CONFIG = "/opt/millrace/conf/train.yaml";

  private final Path directory = Distribution.workDirectory("containers");
  private final JsonNode compose = Compose.read(DOCKER.resolve("compose.yaml"));
  private final Map<String, ComposeService> services = new LinkedHashMap<>();

  @AfterEach
  void endAll() {
    services.values().forEach(ComposeService::close);
  }

  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  @Test
  void aKilledTaskManagerCostsNoRecordAndServeAndWatchAnswer() throws Exception {
    List<String> missing = Images.missingTools();
    assumeTrue(missing.isEmpty(), "needs " + missing + " of Debian's packages");
    assumeTrue(NetworkNamespaces.arePossible(), "needs root and network namespaces");
    try (Images images = new Images(directory, Path.of("target", "containers"));
        NetworkNamespaces network = new NetworkNamespaces(SERVICES.size())) {
      buildAll(images);
      Path hosts = writeHosts(network);
      for (String service : SERVICES) {
        JsonNode definition = compose.at("/services/" + service.replaceAll("-\\d", ""));
        String image = definition.get("image").asText().replaceAll(".*/|:.*", "");
        String host = "host-" + (SERVICES.indexOf(service) + 1);
        services.put(
            service,
            new ComposeService(
                service,
                definition,
                images.container(image),
                command -> network.on(host, command),
                directory,
                DOCKER,
                hosts));
      }
      startAll();
      requireContained();

      String job =
          exec(
                  "jobmanager",
                  "flink run -d -p 2 /opt/flink/usrlib/millrace-job.jar --config %s"
                          .formatted(CONFIG)
                      + " --snapshot.interval 2s --execution.checkpointing.interval 2s")
              .replaceAll("(?s).*JobID (\\w+).*", "$1");
      Thread producer = new Thread(this::produce, "producer");
      producer.start();
      awaitLearned(RECORDS / 4);
      awaitHealthy("serve", System.nanoTime());
      Figures.tell("Memory of the JVMs: " + memory());

      long generation = newest().orElseThrow().version().generation();
      ComposeService killed = services.get("taskmanager-1");
      killed.kill();
      long since = System.nanoTime();
      // As restart: unless-stopped has an engine do.
      assertThat(compose.at("/services/taskmanager/restart").asText()).isEqualTo("unless-stopped");
      killed.start();
      await()
          .pollInSameThread()
          .atMost(LIMIT)
          .until(() -> newest().orElseThrow().version().generation() > generation);
      Figures.tell(
          "A TaskManager was killed; the first model of the restored job came after %s s"
              .formatted(seconds(since)));
      awaitHealthy("taskmanager-1", since);

      producer.join();
      awaitLearned(RECORDS);
      requireAnswers(network);
      exec("jobmanager", "flink stop " + job);
      String audited = exec("serve", "millrace audit /opt/millrace/models --config " + CONFIG);
      Figures.tell(audited);
    }
  }

  private void buildAll(Images images) throws IOException {
    images.makeBase();
    for (String name : List.of("flink", "kafka")) {
      Path context = directory.resolve("context-" + name);
      Commands.output(List.of("cp", "-r", Images.standIn(name).toString(), context.toString()));
      Path jars = HOME.resolve("opt").resolve(name.equals("flink") ? "flink" : "broker");
      Commands.output(List.of("cp", "-r", jars.toString(), context.resolve("jars").toString()));
      if (name.equals("kafka")) {
        Files.copy(kafkaTools(), context.resolve("jars/kafka-tools.jar"));
      }
      images.build(name, context.resolve("Dockerfile"), context, Map.of());
    }
    long since = System.nanoTime();
    images.build("millrace", DOCKER.resolve("Dockerfile"), HOME, Map.of("BASE", "localhost/base"));
    images.build(
        "millrace-flink",
        DOCKER.resolve("Dockerfile.flink"),
        HOME,
        Map.of("BASE", "localhost/flink"));
    Figures.tell("Both images are built after %s s".formatted(seconds(since)));
    Figures.tell(
        "Sizes: millrace %s on a base of %s, millrace-flink %s on one of %s"
            .formatted(
                images.size("millrace"),
                images.size("base"),
                images.size("millrace-flink"),
                images.size("flink")));
  }

  /** Returns the jar of Kafka's commands, which the distribution has no use for. */
  private static Path kafkaTools() {
    return Stream.of(System.getProperty("java.class.path").split(":", -1))
        .map(Path::of)
        .filter(jar -> jar.getFileName().toString().startsWith("kafka-tools-"))
        .findFirst()
        .orElseThrow();
  }

  private Path writeHosts(NetworkNamespaces network) throws IOException {
    List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
    for (int i = 0; i < SERVICES.size(); i++) {
      lines.add(network.of("host-" + (i + 1)) + " " + SERVICES.get(i));
    }
    return Files.write(directory.resolve("hosts"), lines);
  }

  private void startAll() throws Exception {
    start("kafka");
    services.get("topics").start();
    assertThat(services.get("topics").awaitEnd())
        .as("see %s", services.get("topics").log())
        .isZero();
    for (String service : SERVICES.subList(2, SERVICES.size())) {
      start(service);
    }
  }

  private void start(String service) throws IOException {
    long since = System.nanoTime();
    services.get(service).start();
    awaitHealthy(service, since);
  }

  private void awaitHealthy(String service, long since) {
    await()
        .pollInSameThread()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> services.get(service).isHealthy());
    Figures.tell("%s is healthy after %s s".formatted(service, seconds(since)));
  }

  /** Nobody is root, has a capability, may get one, or can write to the root. */
  private void requireContained() throws IOException {
    for (String service : SERVICES) {
      if (!service.equals("topics")) {
        assertThat(exec(service, "cat /proc/1/status"))
            .as(service)
            .containsPattern("Uid:\\s(9999|1000)\\s")
            .containsPattern("CapEff:\\s0{16}")
            .containsPattern("CapBnd:\\s0{16}")
            .containsPattern("NoNewPrivs:\\s1");
        assertThat(services.get(service).exec("touch", "/opt/probe").said())
            .as(service)
            .contains("Read-only file system");
      }
    }
  }

  private String exec(String service, String line) throws IOException {
    Commands.Ended ended = services.get(service).exec(line.split(" ", -1));
    assertThat(ended.status()).as(ended.said()).isZero();
    return ended.said();
  }

  private void produce() {
    try {
      exec(
          "serve",
          "millrace produce --data digits:%s --rate 150 --config %s".formatted(RECORDS, CONFIG));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<SnapshotDescription> newest() throws IOException {
    return LatestSnapshot.find(directory.resolve("volumes/models"))
        .map(LatestSnapshot::description);
  }

  private long learned() throws IOException {
    return newest().map(model -> model.prequential().examples()).orElse(0L);
  }

  private void awaitLearned(long records) {
    await().pollInSameThread().atMost(LIMIT).until(() -> learned() >= records);
  }

  private void requireAnswers(NetworkNamespaces network) throws Exception {
    String features = Stream.generate(() -> "0.5").limit(784).collect(Collectors.joining(","));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://%s:8080/v2/models/model/infer"
                                .formatted(network.of("host-" + (SERVICES.indexOf("serve") + 1)))))
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            """
                            {"inputs":[{"name":"features","shape":[1,784],"datatype":"FP32","data":[%s]}]}
                            """
                                .formatted(features)))
                    .header("Content-Type", "application/json")
                    .build(),
                HttpResponse.BodyHandlers.ofString(UTF_8));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("\"probabilities\"", "\"shape\":[1,10]");
    assertThat(exec("watch", "wget -q -O - http://localhost:8090/history"))
        .contains("training-metrics", "\"examples\":" + RECORDS);
  }

  private String memory() throws IOException {
    List<String> told = new ArrayList<>();
    for (String service : SERVICES) {
      if (!service.equals("topics")) {
        told.add("%s %s MB".formatted(service, services.get(service).megabytes()));
      }
    }
    return String.join(", ", told);
  }

  private static String seconds(long since) {
    return String.valueOf(Duration.ofNanos(System.nanoTime() - since).toMillis() / 1000.0);
  }
}
