package dev.millrace.job.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that answers as MLflow does and remembers what it was asked. */
class MlflowRegistryTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String DESCRIPTION =
      """
      {"format":2,"millrace":"1.0.0","version":{"generation":1,"round":300},"iteration":900,
       "created":"2026-11-21T10:15:30Z","engine":"dl4j","kind":"MultiLayerNetwork","parameters":10,
       "updaterState":20,"configurationHash":"beef",
       "shape":{"features":4,"outputs":3,"target":"CLASSIFICATION"},"standardizationCount":0,
       "ledger":[{"topic":"t","partition":0,"learned":{"count":96,"sum":4560,"first":0,"last":95},
                  "rejected":{"count":0,"sum":0}}],
       "prequential":{"examples":96,"accuracy":0.5,"loss":0.7},"configuration":{},"number":7,
       "state":"committed","checkpoint":12,
       "parent":{"source":"old.zip","sha256":"cafe","version":{"generation":0,"round":5}}}
      """;

  private record Call(String path, JsonNode body) {}

  @TempDir private Path directory;

  private final List<Call> calls = new ArrayList<>();
  private final Map<String, String> refusals = new HashMap<>();

  /** By token, what a search finds. */
  private final Map<String, String> pages = new HashMap<>();

  private HttpServer server;
  private SnapshotDescription snapshot;

  @BeforeEach
  void start() throws IOException {
    snapshot = SnapshotDescription.fromJson(DESCRIPTION);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aCommittedModelBecomesAVersionWithItsLineageAndTheAliasFollows() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = new MlflowRegistry(url(), "digits");
    registry.released(snapshot, store);
    assertThat(calls).isEmpty();

    registry.committed(snapshot, store, true);
    registry.committed(snapshot, store, true);

    assertThat(calls)
        .extracting(Call::path)
        .containsExactly(
            "/api/2.0/mlflow/registered-models/create",
            "/api/2.0/mlflow/model-versions/create",
            "/api/2.0/mlflow/registered-models/alias",
            "/api/2.0/mlflow/model-versions/create",
            "/api/2.0/mlflow/registered-models/alias");
    assertThat(calls.get(0).body().path("name").asText()).isEqualTo("digits");
    JsonNode version = calls.get(1).body();
    assertThat(version.path("name").asText()).isEqualTo("digits");
    assertThat(version.path("source").asText())
        .isEqualTo(directory.resolve("model-1.300.zip").toString());
    Map<String, String> tags = new HashMap<>();
    version
        .path("tags")
        .forEach(tag -> tags.put(tag.path("key").asText(), tag.path("value").asText()));
    assertThat(tags)
        .containsEntry("millrace.version", "1.300")
        .containsEntry("millrace.checkpoint", "12")
        .containsEntry("millrace.learned", "96")
        .containsEntry("millrace.configuration-hash", "beef")
        .containsEntry("millrace.parent-sha256", "cafe")
        .containsEntry("prequential.accuracy", "0.5");
    assertThat(JSON.readTree(tags.get("millrace.ledger")).at("/0/learned/last").asLong())
        .isEqualTo(95);
    JsonNode alias = calls.get(2).body();
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("3");
  }

  @Test
  void theAliasStaysWhileAnotherModelIsServed() throws IOException {
    new MlflowRegistry(url(), "digits")
        .committed(snapshot, SnapshotStore.directory(directory), false);

    assertThat(calls)
        .extracting(Call::path)
        .containsExactly(
            "/api/2.0/mlflow/registered-models/create", "/api/2.0/mlflow/model-versions/create");
  }

  @Test
  void theAliasNamesAnEarlierModelAgain() throws IOException {
    pages.put("", page("9", "1.200", "more"));
    pages.put("more", page("4", "1.100", ""));
    MlflowRegistry registry = new MlflowRegistry(url(), "digits");

    registry.serve(new ModelVersion(1, 100));

    JsonNode alias = calls.get(calls.size() - 1).body();
    assertThat(alias.path("name").asText()).isEqualTo("digits");
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("4");
    assertThatThrownBy(() -> registry.serve(new ModelVersion(1, 50)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url(), "'digits'", "millrace.version", "'1.50'");
  }

  @Test
  void aModelThatIsThereAlreadyGetsAFurtherVersion() throws IOException {
    refusals.put(
        "/api/2.0/mlflow/registered-models/create",
        "{\"error_code\":\"RESOURCE_ALREADY_EXISTS\",\"message\":\"it is\"}");

    new MlflowRegistry(url(), "digits")
        .committed(snapshot, SnapshotStore.directory(directory), true);

    assertThat(calls).hasSize(3);
  }

  @Test
  void arefusalIsToldWithItsReason() {
    refusals.put(
        "/api/2.0/mlflow/model-versions/create",
        "{\"error_code\":\"PERMISSION_DENIED\",\"message\":\"not you\"}");
    MlflowRegistry registry = new MlflowRegistry(url(), "digits");

    assertThatThrownBy(() -> registry.committed(snapshot, SnapshotStore.directory(directory), true))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url(), "model-versions/create", "400", "not you");
  }

  @Test
  void aServerThatIsDownIsNamed() {
    String url = url();
    server.stop(0);

    assertThatThrownBy(
            () ->
                new MlflowRegistry(url, "digits")
                    .committed(snapshot, SnapshotStore.directory(directory), true))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url, "registry.url");
  }

  @Test
  void whoWeAreComesFromTheEnvironment() {
    assertThat(MlflowRegistry.authorization(Map.of())).isEmpty();
    assertThat(MlflowRegistry.authorization(Map.of("MLFLOW_TRACKING_TOKEN", "t")))
        .contains("Bearer t");
    assertThat(
            MlflowRegistry.authorization(
                Map.of("MLFLOW_TRACKING_USERNAME", "u", "MLFLOW_TRACKING_PASSWORD", "p")))
        .contains("Basic dTpw");
  }

  private static String page(String version, String millrace, String next) {
    return ("{\"model_versions\":[{\"version\":\"%s\",\"tags\":[{\"key\":\"millrace.version\","
            + "\"value\":\"%s\"}]}],\"next_page_token\":\"%s\"}")
        .formatted(version, millrace, next);
  }

  private String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    calls.add(new Call(path, JSON.readTree(exchange.getRequestBody().readAllBytes())));
    String refusal = refusals.get(path);
    String answer = "{\"model_version\":{\"version\":\"3\"}}";
    if (path.endsWith("/search")) {
      String query = exchange.getRequestURI().getQuery();
      assertThat(query).contains("filter=name='digits'");
      answer = pages.get(query.substring(query.indexOf("page_token=") + "page_token=".length()));
    }
    byte[] body = (refusal == null ? answer : refusal).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(refusal == null ? 200 : 400, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
