package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.train.publish.mlflow.MlflowRegistry;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that a job registers with the jars that write ONNX on its class path. */
class MlflowVersionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Has what is read of any answer. */
  private static final byte[] ANSWER =
      "{\"model_version\":{\"version\":\"1\"},\"run\":{\"info\":{\"run_id\":\"r\"}}}"
          .getBytes(UTF_8);

  @TempDir private Path models;

  @Test
  void theSourceOfAVersionIsADirectoryThatMlflowLoads() throws Exception {
    Map<String, JsonNode> asked = new ConcurrentHashMap<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          asked.put(exchange.getRequestURI().getPath(), JSON.readTree(body));
          exchange.sendResponseHeaders(200, ANSWER.length);
          exchange.getResponseBody().write(ANSWER);
          exchange.close();
        });
    server.start();
    ModelVersion version = new ModelVersion(2, 300);
    ServeIT.publish(models, version);
    SnapshotStore store = SnapshotStore.directory(models);

    try {
      new MlflowRegistry(
              "http://localhost:" + server.getAddress().getPort(),
              "flowers",
              SnapshotPlace.of(models.toString()))
          .committed(new SnapshotCatalog(store).find(version).orElseThrow(), store, false);
    } finally {
      server.stop(0);
    }

    Path source =
        Path.of(asked.get("/api/2.0/mlflow/model-versions/create").path("source").asText());
    assertThat(source).isEqualTo(models.resolve("mlflow").resolve("2.300"));
    assertThat(source.resolve("model.onnx")).isNotEmptyFile();
    JsonNode description = JSON.readTree(source.resolve("MLmodel").toFile());
    assertThat(description.at("/flavors/python_function/loader_module").asText())
        .isEqualTo("mlflow.onnx");
    assertThat(description.at("/metadata/millrace.classes/1").asText()).isEqualTo("versicolor");
    assertThat(new SnapshotCatalog(store).versions()).containsExactly(version);
  }
}
