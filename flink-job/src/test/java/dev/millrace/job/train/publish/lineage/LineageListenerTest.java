package dev.millrace.job.train.publish.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a server that takes all events, and keeps them. */
class LineageListenerTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String DESCRIPTION =
      """
      {"format":1,"millrace":"1.0.0","version":{"generation":1,"round":300},"iteration":900,
       "created":"2026-11-21T10:15:30Z","engine":"dl4j","kind":"MultiLayerNetwork","parameters":10,
       "updaterState":20,"configurationHash":"beef",
       "shape":{"features":4,"outputs":3,"target":"CLASSIFICATION"},"standardizationCount":0,
       "ledger":[{"topic":"a","partition":0,"learned":{"count":96,"sum":4560,"first":0,"last":95},
                  "rejected":{"count":0,"sum":0}},
                 {"topic":"a","partition":1,"learned":{"count":4,"sum":46,"first":10,"last":13},
                  "rejected":{"count":1,"sum":14,"first":14,"last":14},
                  "skipped":{"count":2,"sum":31,"first":15,"last":16}},
                 {"topic":"b","partition":0,"learned":{"count":1,"sum":7,"first":7,"last":7},
                  "rejected":{"count":0,"sum":0}}],
       "configuration":{},"number":7,"state":"committed","checkpoint":12}
      """;

  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private volatile int status = 201;
  private volatile boolean isStalled;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/lineage",
        exchange -> {
          events.add(JSON.readTree(exchange.getRequestBody().readAllBytes()));
          if (isStalled) {
            // The head says that more is to come, and nothing comes.
            exchange.sendResponseHeaders(status, 2);
            exchange.getResponseBody().flush();
            return;
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private LineageListener listener() {
    return new LineageListener(url(), "flowers", "k1:9092, k2:9092");
  }

  private String url() {
    return "http://localhost:" + server.getAddress().getPort() + "/";
  }

  @Test
  void anAttemptIsARunThatTellsOfEachCommittedModel() throws IOException {
    SnapshotStore store = SnapshotStore.directory(Path.of("/models"));
    LineageListener listener = listener();

    listener.began();
    listener.committed(SnapshotDescription.fromJson(DESCRIPTION), store, false);
    listener.ended(true);

    assertThat(events)
        .extracting(event -> event.path("eventType").asText())
        .containsExactly("START", "RUNNING", "COMPLETE");
    assertThat(events).extracting(event -> event.at("/run/runId")).containsOnly(runId());
    assertThat(events.get(1).at("/outputs/0/namespace").asText()).isEqualTo("file");
    assertThat(events.get(1).at("/outputs/0/name").asText()).isEqualTo("/models");
  }

  private JsonNode runId() {
    return events.get(0).at("/run/runId");
  }

  @Test
  void aModelHasTheOffsetsOfItsTopicsAndItsVersion() throws IOException {
    JsonNode event =
        new LineageEvents("flowers", "k1:9092, k2:9092", new UUID(1, 2))
            .model(SnapshotDescription.fromJson(DESCRIPTION), "s3://bucket/models", Instant.EPOCH);

    assertThat(event.at("/job/name").asText()).isEqualTo("flowers");
    assertThat(event.path("inputs"))
        .extracting(input -> input.path("namespace").asText() + "/" + input.path("name").asText())
        .containsExactly("kafka://k1:9092/a", "kafka://k1:9092/b");
    assertThat(event.at("/inputs/0/inputFacets/millrace_ledger/partitions"))
        .hasToString(
            "[{\"partition\":0,\"learned\":{\"count\":96,\"first\":0,\"last\":95}},"
                + "{\"partition\":1,\"learned\":{\"count\":4,\"first\":10,\"last\":13},"
                + "\"rejected\":{\"count\":1,\"first\":14,\"last\":14},"
                + "\"skipped\":{\"count\":2,\"first\":15,\"last\":16}}]");
    JsonNode output = event.at("/outputs/0");
    assertThat(output.path("namespace").asText()).isEqualTo("s3://bucket");
    assertThat(output.path("name").asText()).isEqualTo("models");
    assertThat(output.at("/facets/version/datasetVersion").asText()).isEqualTo("1.300");
    assertThat(output.at("/facets/schema/fields/0/type").asText()).isEqualTo("float[4]");
    assertThat(output.at("/facets/millrace_model/configurationHash").asText()).isEqualTo("beef");
  }

  @Test
  void recordsOfNoTopicAreTheJobsOwn() throws IOException {
    JsonNode event =
        new LineageEvents("flowers", null, new UUID(1, 2))
            .model(SnapshotDescription.fromJson(DESCRIPTION), "/models", Instant.EPOCH);

    assertThat(event.path("inputs"))
        .extracting(input -> input.path("namespace").asText() + " " + input.path("name").asText())
        .containsExactly("millrace flowers/a", "millrace flowers/b");
  }

  @Test
  @Timeout(30)
  void anAnswerThatNeverEndsIsGivenUp() {
    isStalled = true;
    LineageListener listener =
        new LineageListener(url(), "flowers", "k1:9092", Duration.ofSeconds(2));

    assertThatThrownBy(listener::began)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "the lineage server at http://localhost", "no whole answer within 2 s");
  }

  @Test
  void whatTheServerDoesNotTakeIsSaid() {
    status = 401;

    assertThatThrownBy(() -> listener().began())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "the lineage server at http://localhost", "401", "the server's URL");
  }
}
