package dev.millrace.avro;

import static dev.millrace.avro.Flows.bytes;
import static dev.millrace.avro.Flows.flow;
import static dev.millrace.avro.Flows.plan;
import static dev.millrace.avro.Flows.schema;
import static dev.millrace.avro.Flows.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Apicurio's registry as a process, by Confluent's API: what it answers is what is expected. */
@Tag("nightly")
@Timeout(180)
@EnabledIfSystemProperty(
    named = "millrace.registry.directory",
    matches = ".+",
    disabledReason = "the profile real-registry downloads it")
class RealRegistryIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final FieldPlan PLAN = plan("duration", "peer.protocol");

  private static Process registry;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    File directory = Path.of(System.getProperty("millrace.registry.directory")).toFile();
    url = "http://127.0.0.1:%s/apis/ccompat/v7".formatted(port);
    registry =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-jar",
                "apicurio-registry-app-2.6.13.Final-runner.jar")
            .directory(directory)
            .redirectErrorStream(true)
            .redirectOutput(new File(directory, "registry.log"))
            .start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> get("/subjects").statusCode() == 200);
  }

  @AfterAll
  static void stop() {
    registry.destroyForcibly();
  }

  @Test
  void schemasAreFetchedWithWhatTheyReferTo() throws Exception {
    Schema peer =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"Peer\",\"fields\":[{\"name\":\"protocol\",\"type\":\"string\"}]}");
    String text =
        "{\"type\":\"record\",\"name\":\"Flow\",\"fields\":[{\"name\":\"duration\",\"type\":\"double\"},"
            + "{\"name\":\"peer\",\"type\":\"Peer\"}]}";
    Schema.Parser parser = new Schema.Parser();
    parser.parse(peer.toString());
    Schema whole = parser.parse(text);
    register("peer", JSON.createObjectNode().put("schema", peer.toString()));
    ObjectNode flow = JSON.createObjectNode().put("schema", text);
    flow.putArray("references")
        .addObject()
        .put("name", "Peer")
        .put("subject", "peer")
        .put("version", 1);
    int id = register("flow", flow);

    RecordFormat format = format();
    assertThat(
            read(
                format,
                value(
                    id,
                    bytes(
                        whole,
                        flow(whole, "duration", 1.5, "peer", flow(peer, "protocol", "tcp"))))))
        .containsExactly("double 1.5", "text tcp");
  }

  @Test
  void aSchemaThatItHasNotIsABadRecord() throws Exception {
    Schema schema = schema("{\"name\":\"duration\",\"type\":\"double\"}");
    RecordFormat format = format();

    assertThat(format.prerequisites().problem(Duration.ofSeconds(30))).isEmpty();
    assertThatThrownBy(
            () -> read(format, value(987_654, bytes(schema, flow(schema, "duration", 1.5)))))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("the registry has no schema 987654");
  }

  private static RecordFormat format() {
    return RecordFormats.named("avro-confluent", PLAN, Map.of("registry.url", url));
  }

  private static List<String> read(RecordFormat format, byte[] value)
      throws InvalidExampleException {
    FieldValues values = new FieldValues(PLAN);
    format.read(value, values);
    return told(values, 2);
  }

  private static byte[] value(int schema, byte[] record) {
    return ByteBuffer.allocate(5 + record.length).put((byte) 0).putInt(schema).put(record).array();
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static int register(String subject, ObjectNode schema) throws Exception {
    HttpResponse<String> response =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(url + "/subjects/" + subject + "/versions"))
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .POST(HttpRequest.BodyPublishers.ofString(schema.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body()).get("id").asInt();
  }
}
