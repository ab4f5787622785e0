package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.job.testing.RegistryServer;
import dev.millrace.job.testing.RegistryServer.Call;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
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
      {"format":1,"millrace":"1.0.0","version":{"generation":1,"round":300},"iteration":900,
       "created":"2026-11-21T10:15:30Z","engine":"dl4j","kind":"MultiLayerNetwork","parameters":10,
       "updaterState":20,"configurationHash":"beef",
       "shape":{"features":4,"outputs":3,"target":"CLASSIFICATION"},"standardizationCount":0,
       "ledger":[{"topic":"t","partition":0,"learned":{"count":96,"sum":4560,"first":0,"last":95},
                  "rejected":{"count":0,"sum":0}}],
       "prequential":{"examples":96,"accuracy":0.5,"loss":0.7},"configuration":{},"number":7,
       "state":"committed","checkpoint":12,
       "parent":{"source":"old.zip","sha256":"cafe","version":{"generation":0,"round":5}}}
      """;

  @TempDir private Path directory;

  private RegistryServer server;
  private SnapshotDescription snapshot;

  @BeforeEach
  void start() throws IOException {
    snapshot = SnapshotDescription.fromJson(DESCRIPTION);
    server = RegistryServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aCommittedModelBecomesAVersionWithItsLineageAndTheAliasFollows() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    MlflowRegistry registry = new MlflowRegistry(server.url(), "digits");
    registry.released(snapshot, store);
    assertThat(server.calls()).isEmpty();

    registry.committed(snapshot, store, true);
    registry.committed(snapshot, store, true);

    assertThat(server.calls())
        .extracting(Call::path)
        .containsExactly(
            "registered-models/create",
            "model-versions/create",
            "registered-models/alias",
            "model-versions/create",
            "registered-models/alias");
    assertThat(server.calls().get(0).body().path("name").asText()).isEqualTo("digits");
    JsonNode version = server.calls().get(1).body();
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
    JsonNode alias = server.calls().get(2).body();
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("3");
  }

  @Test
  void theAliasStaysWhileAnotherModelIsServed() throws IOException {
    new MlflowRegistry(server.url(), "digits")
        .committed(snapshot, SnapshotStore.directory(directory), false);

    assertThat(server.calls())
        .extracting(Call::path)
        .containsExactly("registered-models/create", "model-versions/create");
  }

  @Test
  void theAliasNamesAnEarlierModelAgain() throws IOException {
    server.add("", "9", "1.200", "more");
    server.add("more", "4", "1.100", "");
    MlflowRegistry registry = new MlflowRegistry(server.url(), "digits");

    registry.serve(new ModelVersion(1, 100));

    JsonNode alias = server.calls().get(server.calls().size() - 1).body();
    assertThat(alias.path("name").asText()).isEqualTo("digits");
    assertThat(alias.path("alias").asText()).isEqualTo("serving");
    assertThat(alias.path("version").asText()).isEqualTo("4");
    assertThatThrownBy(() -> registry.serve(new ModelVersion(1, 50)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(server.url(), "'digits'", "millrace.version", "'1.50'");
  }

  @Test
  void aModelThatIsThereAlreadyGetsAFurtherVersion() throws IOException {
    server.refuse(
        "registered-models/create",
        "{\"error_code\":\"RESOURCE_ALREADY_EXISTS\",\"message\":\"it is\"}");

    new MlflowRegistry(server.url(), "digits")
        .committed(snapshot, SnapshotStore.directory(directory), true);

    assertThat(server.calls()).hasSize(3);
  }

  @Test
  void arefusalIsToldWithItsReason() {
    server.refuse(
        "model-versions/create", "{\"error_code\":\"PERMISSION_DENIED\",\"message\":\"not you\"}");
    MlflowRegistry registry = new MlflowRegistry(server.url(), "digits");

    assertThatThrownBy(() -> registry.committed(snapshot, SnapshotStore.directory(directory), true))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(server.url(), "model-versions/create", "400", "not you");
  }

  @Test
  void aServerThatIsDownIsNamed() {
    String url = server.url();
    server.close();

    assertThatThrownBy(
            () ->
                new MlflowRegistry(url, "digits")
                    .committed(snapshot, SnapshotStore.directory(directory), true))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url, "the registry's URL");
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
}
