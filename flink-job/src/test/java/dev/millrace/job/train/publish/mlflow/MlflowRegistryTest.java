package dev.millrace.job.train.publish.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.testing.RegistryServer;
import dev.millrace.job.testing.RegistryServer.Call;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that answers as MLflow does and remembers what it was asked. */
class MlflowRegistryTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String DESCRIPTION =
      """
      {"format":1,"millrace":"1.0.0","version":{"generation":1,"round":300},"iteration":900,
       "created":"2026-11-21T10:15:30Z","engine":"dl4j","kind":"MultiLayerNetwork","parameters":10,
       "updaterState":20,"configurationHash":"beef",
       "shape":{"features":4,"outputs":3,"target":"CLASSIFICATION"},"standardizationCount":0,
       "ledger":[{"topic":"t","partition":0,"learned":{"count":96,"sum":4560,"first":0,"last":95},
                  "rejected":{"count":0,"sum":0}}],
       "prequential":{"examples":96,"accuracy":0.5,"loss":0.7,"auc":0.8},"configuration":{"batch.size":"32"},"number":7,
       "state":"committed","checkpoint":12,
       "parent":{"source":"old.zip","sha256":"cafe","version":{"generation":0,"round":5}}}
      """;

  @TempDir private Path directory;

  private RegistryServer server;
  private SnapshotDescription snapshot;

  private static SnapshotDescription described(long round) throws IOException {
    return SnapshotDescription.fromJson(DESCRIPTION.replace("\"round\":300", "\"round\":" + round));
  }

  private MlflowRegistry registry(String url) {
    return new MlflowRegistry(url, "digits", SnapshotPlace.of(directory.toString()));
  }

  /** Returns what of the registry was asked, without what was asked of the run. */
  private List<Call> registrations() {
    return server.calls().stream()
        .filter(call -> !call.path().startsWith("runs/") && !call.path().startsWith("experiments/"))
        .toList();
  }

  private List<JsonNode> calls(String path) {
    return server.calls().stream()
        .filter(call -> call.path().equals(path))
        .map(Call::body)
        .toList();
  }

  @BeforeEach
  void start() throws IOException {
    snapshot = SnapshotDescription.fromJson(DESCRIPTION);
    server = RegistryServer.start();
    SnapshotStore store = SnapshotStore.directory(directory);
    store.clean();
    for (int round : List.of(300, 301)) {
      store.put("model-1.%s.zip".formatted(round), file -> Files.writeString(file, "zip" + round));
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aCommittedModelBecomesAVersionWithItsLineageAndTheAliasFollows() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = registry(server.url());
    registry.released(snapshot, store);
    assertThat(server.calls()).isEmpty();

    registry.committed(snapshot, store, false);
    registry.served(snapshot.version());
    registry.committed(snapshot, store, false);

    assertThat(registrations())
        .extracting(Call::path)
        .containsExactly(
            "registered-models/create",
            "model-versions/create",
            "registered-models/alias",
            "model-versions/create");
    assertThat(registrations().get(0).body().path("name").asText()).isEqualTo("digits");
    JsonNode version = registrations().get(1).body();
    assertThat(version.path("name").asText()).isEqualTo("digits");
    assertThat(version.path("source").asText())
        .isEqualTo(directory.resolve("mlflow/1.300").toString());
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
        .containsEntry("prequential.accuracy", "0.5")
        .containsEntry("prequential.auc", "0.8");
    assertThat(JSON.readTree(tags.get("millrace.ledger")).at("/0/learned/last").asLong())
        .isEqualTo(95);
    JsonNode alias = registrations().get(2).body();
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("3");
  }

  @Test
  void theRunHasTheOptionsAndTheMeasuresOfEachModel() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = registry(server.url());

    registry.committed(snapshot, store, false);
    registry.committed(described(301), store, false);
    registry.ended(true);

    JsonNode creation = calls("runs/create").get(0);
    assertThat(calls("runs/create")).hasSize(1);
    assertThat(creation.path("experiment_id").asText()).isEqualTo("5");
    assertThat(creation.at("/tags/0/key").asText()).isEqualTo("millrace.job");
    List<JsonNode> batches = calls("runs/log-batch");
    assertThat(batches).hasSize(3).allMatch(batch -> batch.path("run_id").asText().equals("r1"));
    assertThat(batches.get(0).path("params"))
        .isEqualTo(JSON.readTree("[{\"key\":\"batch.size\",\"value\":\"32\"}]"));
    assertThat(batches.get(1).at("/metrics/0"))
        .isEqualTo(
            JSON.readTree(
                "{\"key\":\"prequential.accuracy\",\"value\":0.5,\"timestamp\":1795256130000,"
                    + "\"step\":96}"));
    assertThat(calls("model-versions/create"))
        .allMatch(version -> version.path("run_id").asText().equals("r1"));
    assertThat(calls("runs/update").get(0).path("status").asText()).isEqualTo("FINISHED");
  }

  @Test
  void anAttemptAfterAFailureGoesOnWithTheRun() throws Exception {
    server.hasRun();

    InstantiationUtil.clone(registry(server.url()))
        .committed(snapshot, SnapshotStore.directory(directory), false);

    assertThat(calls("runs/create")).isEmpty();
    assertThat(calls("runs/update").get(0).path("status").asText()).isEqualTo("RUNNING");
    assertThat(calls("model-versions/create").get(0).path("run_id").asText()).isEqualTo("r1");
  }

  @Test
  void whatARegistryDidNotTakeIsRegisteredWithTheNext() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = registry(server.url());
    SnapshotDescription next = described(301);
    store.put("model-1.300.json", file -> Files.writeString(file, snapshot.toJson()));
    server.refuse("model-versions/create", "{\"message\":\"too busy\"}");
    assertThatThrownBy(() -> registry.committed(snapshot, store, false))
        .hasMessageContaining("too busy");
    server.accept("model-versions/create");

    registry.committed(next, store, false);

    assertThat(registrations())
        .extracting(Call::path)
        .containsExactly(
            "registered-models/create",
            "model-versions/create",
            "model-versions/search",
            "model-versions/create",
            "model-versions/create");
    assertThat(registrations().get(3).body().path("source").asText()).endsWith("mlflow/1.300");
    assertThat(registrations().get(4).body().path("source").asText()).endsWith("mlflow/1.301");
  }

  /** Without what writes ONNX, a version has the archive: one that retention doesn't delete. */
  @Test
  void theSourceOfAVersionStaysWhenTheSnapshotGoes() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = registry(server.url());
    registry.committed(snapshot, store, false);
    // As with snapshot.keep: 1.
    store.delete(snapshot.archive());
    registry.committed(described(301), store, false);

    Path source = Path.of(calls("model-versions/create").get(0).path("source").asText());
    assertThat(source.resolve("model-1.300.zip")).hasContent("zip300");
    assertThat(new SnapshotCatalog(SnapshotStore.directory(source)).find(snapshot.version()))
        .map(SnapshotDescription::toJson)
        .contains(snapshot.toJson());
  }

  @Test
  void whatIsThereAlreadyAfterAFailureIsNotRegisteredTwice() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    store.put("model-1.300.json", file -> Files.writeString(file, snapshot.toJson()));
    server.add("", "9", "1.300", "");

    registry(server.url()).committed(snapshot, store, true);

    assertThat(registrations())
        .extracting(Call::path)
        .containsExactly("registered-models/create", "model-versions/search");
  }

  /** What waited for the registry ended with an attempt that failed. */
  @Test
  void whatCheckpointsBeforeHaveCommittedIsRegisteredWithTheNextUnlessItIsThere()
      throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    SnapshotDescription there = described(299);
    store.put("model-1.299.json", file -> Files.writeString(file, there.toJson()));
    store.put("model-1.300.json", file -> Files.writeString(file, snapshot.toJson()));
    server.add("", "9", "1.299", "");
    MlflowRegistry registry = registry(server.url());

    registry.committedBefore(there);
    registry.committedBefore(snapshot);
    registry.committed(described(301), store, false);

    assertThat(calls("model-versions/create"))
        .extracting(version -> version.path("source").asText())
        .containsExactly(
            directory.resolve("mlflow/1.300").toString(),
            directory.resolve("mlflow/1.301").toString());
  }

  @Test
  void aModelThatHasBeenDeletedMeanwhileIsNotRegistered() throws IOException {
    registry(server.url()).committed(snapshot, SnapshotStore.directory(directory), true);

    assertThat(server.calls()).isEmpty();
  }

  @Test
  void anAnswerWithoutAnEndIsBounded() throws IOException {
    server.add("", "9", "x".repeat(9 << 20), "");

    assertThatThrownBy(() -> registry(server.url()).served(new ModelVersion(1, 50)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("an answer of more than 8388608 bytes");
  }

  @Test
  void anAnswerThatNeverEndsIsGivenUp() {
    server.stall();
    MlflowClient client = new MlflowClient(server.url(), Map.of(), Duration.ofSeconds(2));

    assertThatThrownBy(() -> client.get("model-versions/search", "?page_token="))
        .isInstanceOf(MlflowClient.UnreachableException.class)
        .hasMessageContainingAll(server.url(), "no whole answer within 2 s");
  }

  @Test
  void aMessageHoldsTheBeginningOfAnAnswer() {
    server.refuse("model-versions/create", "<html>\n\u001b[31m" + "x".repeat(5000) + "</html>");
    MlflowRegistry registry = registry(server.url());

    assertThatThrownBy(
            () -> registry.committed(snapshot, SnapshotStore.directory(directory), false))
        .hasMessageContainingAll("<html> [31mxxx", "…")
        .extracting(failure -> failure.getMessage().length())
        .matches(length -> length < 500);
  }

  @Test
  void aLoginIsReadableOnTheWayWhereNothingEncryptsIt() {
    assertThat(MlflowClient.isReadableOnTheWay(URI.create("http://192.0.2.1:5000"))).isTrue();
    assertThat(MlflowClient.isReadableOnTheWay(URI.create("https://192.0.2.1"))).isFalse();
    assertThat(MlflowClient.isReadableOnTheWay(URI.create("http://127.0.0.1:5000"))).isFalse();
    assertThat(MlflowClient.isReadableOnTheWay(URI.create("http://localhost:5000"))).isFalse();
  }

  @Test
  void theAliasNamesAnEarlierModelAgain() throws IOException {
    server.add("", "9", "1.200", "more");
    server.add("more", "4", "1.100", "");
    MlflowRegistry registry = registry(server.url());

    registry.served(new ModelVersion(1, 100));

    JsonNode alias = server.calls().get(server.calls().size() - 1).body();
    assertThat(alias.path("name").asText()).isEqualTo("digits");
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("4");
    assertThatThrownBy(() -> registry.served(new ModelVersion(1, 50)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(server.url(), "'digits'", "millrace.version", "'1.50'");
  }

  @Test
  void aModelThatIsThereAlreadyGetsAFurtherVersion() throws IOException {
    server.refuse(
        "registered-models/create",
        "{\"error_code\":\"RESOURCE_ALREADY_EXISTS\",\"message\":\"it is\"}");

    registry(server.url()).committed(snapshot, SnapshotStore.directory(directory), false);

    assertThat(registrations()).hasSize(2);
  }

  @Test
  void arefusalIsToldWithItsReason() {
    server.refuse(
        "model-versions/create", "{\"error_code\":\"PERMISSION_DENIED\",\"message\":\"not you\"}");
    MlflowRegistry registry = registry(server.url());

    assertThatThrownBy(
            () -> registry.committed(snapshot, SnapshotStore.directory(directory), false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(server.url(), "model-versions/create", "400", "not you");
  }

  @Test
  void aServerThatIsDownIsNamed() {
    String url = server.url();
    server.close();

    assertThatThrownBy(
            () -> registry(url).committed(snapshot, SnapshotStore.directory(directory), false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url, "the registry's URL");
  }

  @Test
  void whoWeAreComesFromTheEnvironment() {
    assertThat(MlflowClient.authorization(Map.of())).isEmpty();
    assertThat(MlflowClient.authorization(Map.of("MLFLOW_TRACKING_TOKEN", "t")))
        .contains("Bearer t");
    assertThat(
            MlflowClient.authorization(
                Map.of("MLFLOW_TRACKING_USERNAME", "u\n", "MLFLOW_TRACKING_PASSWORD", "p\n")))
        .contains("Basic dTpw");
    assertThat(MlflowClient.authorization(Map.of("MLFLOW_TRACKING_TOKEN", "\ufefft\r\n")))
        .contains("Bearer t");
  }

  @Test
  void aTokenThatNoHeaderTakesIsNotTold() {
    MlflowClient client =
        new MlflowClient(
            server.url(), Map.of("MLFLOW_TRACKING_TOKEN", "hush\nquiet"), Duration.ofSeconds(2));

    assertThatThrownBy(() -> client.get("model-versions/search", "?page_token="))
        .isInstanceOf(IOException.class)
        .hasNoCause()
        .hasMessageStartingWith("MLFLOW_TRACKING_TOKEN has a line feed")
        .hasMessageNotContainingAny("hush", "quiet");
  }
}
