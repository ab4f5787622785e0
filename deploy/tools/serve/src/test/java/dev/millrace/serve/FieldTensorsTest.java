package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors of which each has a field's values are predicted as the same records of a topic are. */
class FieldTensorsTest {

  static final FieldsDescription FIELDS =
      FieldsDescription.parse(
          """
          [{"path": "amount", "kind": "number", "indicator": true},
           {"path": "amount", "name": "its logarithm", "kind": "number", "scale": "logarithm"},
           {"path": "shop.country", "kind": "category", "values": ["DE", "FR", ""]},
           {"path": "code", "kind": "category", "buckets": 7},
           {"path": "new", "kind": "boolean"},
           {"path": "at", "aliases": ["time"], "kind": "time", "parts": ["hour-of-day"]}]\
          """,
          null);

  private static final String[] NAMES = {"amount", "shop.country", "code", "new", "at"};

  @TempDir private static Path directory;
  private static ServerUnderTest server;

  @BeforeAll
  static void start() throws IOException {
    publish(directory);
    server = ServerUnderTest.start(directory).ready();
  }

  /** Publishes a model of {@link #FIELDS}. */
  static void publish(Path directory) throws IOException {
    ExampleShape shape = FIELDS.shape(Target.REGRESSION, 2);
    TellingModels.publish(
        directory,
        TrainedModels.model(
            "dl4j",
            "mlp",
            shape,
            List.of(4),
            3,
            FeatureStatistics.of(10, new double[] {10, 2}, new double[] {4, 1})));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void recordsAndTensorsArePredictedAlikeToTheBit() throws Exception {
    long seed = Seeds.next();
    List<JsonNode> records = records(new Random(seed), 100);

    List<Float> expected = new ArrayList<>();
    JsonNode predictions =
        server
            .post("/v2/models/model/predict", ServerUnderTest.JSON.writeValueAsString(records))
            .json()
            .path("predictions");
    predictions.forEach(
        prediction -> prediction.path("values").forEach(value -> expected.add(value.floatValue())));

    assertThat(expected).as("seed %s", seed).hasSize(200);
    assertThat(floats(server.infer(json(records)))).as("seed %s", seed).isEqualTo(expected);
    assertThat(binary(records)).as("seed %s", seed).isEqualTo(expected);
  }

  /** Makes records of the description, with values that are missing, null, or an empty text. */
  static List<JsonNode> records(Random random, int count) {
    List<JsonNode> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ObjectNode record = ServerUnderTest.JSON.createObjectNode();
      switch (random.nextInt(4)) {
        case 0 -> record.putNull("amount");
        case 1 -> record.put("amount", random.nextInt(100));
        case 2 -> record.put("amount", 1000 * random.nextGaussian());
        default -> {}
      }
      if (random.nextBoolean()) {
        record.putObject("shop").put("country", List.of("DE", "FR", "", "ü").get(i % 4));
      }
      record.put("code", (1L << 53) + random.nextInt(1000));
      record.put("new", random.nextBoolean());
      if (random.nextInt(3) > 0) {
        record.put("at", String.format(Locale.ROOT, "2026-01-31T%02d:00:00Z", random.nextInt(24)));
      }
      records.add(record);
    }
    return records;
  }

  private static JsonNode value(JsonNode record, String name) {
    return record.at("/" + name.replace('.', '/'));
  }

  static String json(List<JsonNode> records) {
    List<String> inputs = new ArrayList<>();
    for (String name : NAMES) {
      List<String> data =
          records.stream()
              .map(record -> value(record, name))
              .map(value -> value.isMissingNode() ? "null" : value.toString())
              .toList();
      inputs.add(
          "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%s],\"data\":%s}"
              .formatted(name, type(name), records.size(), data));
    }
    return "{\"inputs\":%s}".formatted(inputs);
  }

  private static List<Float> floats(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    List<Float> floats = new ArrayList<>();
    reply.data("values").forEach(value -> floats.add(value.floatValue()));
    return floats;
  }

  /** Encodes a field of all records as bytes; a missing text is {@code none}. */
  static byte[] bytes(List<JsonNode> records, String name) {
    Function<JsonNode, byte[]> encode =
        switch (name) {
          case "amount" -> value -> little(8).putDouble(value.asDouble(Double.NaN)).array();
          case "code" -> value -> little(8).putLong(value.asLong()).array();
          case "new" -> value -> new byte[] {(byte) (value.asBoolean() ? 1 : 0)};
          default ->
              value -> {
                byte[] text = (value.isTextual() ? value.asText() : "none").getBytes(UTF_8);
                return little(4 + text.length).putInt(text.length).put(text).array();
              };
        };
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (JsonNode record : records) {
      JsonNode value = value(record, name);
      all.writeBytes(encode.apply(value.isNull() ? ServerUnderTest.JSON.missingNode() : value));
    }
    return all.toByteArray();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A request with binary tensors.
   *
   * @param jsonLength bytes of the body before them
   */
  record BinaryRequest(byte[] body, int jsonLength) {}

  /** Encodes all fields as bytes, and asks for the answer so. */
  static BinaryRequest binaryRequest(List<JsonNode> records) {
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    List<String> inputs = new ArrayList<>();
    for (String name : NAMES) {
      byte[] data = bytes(records, name);
      tail.writeBytes(data);
      inputs.add(
          ("{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%s,1],"
                  + "\"parameters\":{\"binary_data_size\":%s}}")
              .formatted(name, type(name), records.size(), data.length));
    }
    byte[] json =
        "{\"inputs\":%s,\"parameters\":{\"missing\":\"none\",\"binary_data_output\":true}}"
            .formatted(inputs)
            .getBytes(UTF_8);
    byte[] whole = Arrays.copyOf(json, json.length + tail.size());
    System.arraycopy(tail.toByteArray(), 0, whole, json.length, tail.size());
    return new BinaryRequest(whole, json.length);
  }

  private static String type(String name) {
    return switch (name) {
      case "amount" -> "FP64";
      case "code" -> "INT64";
      case "new" -> "BOOL";
      default -> "BYTES";
    };
  }

  private static List<Float> binary(List<JsonNode> records) throws Exception {
    Reply reply = send(binaryRequest(records));
    int json = Integer.parseInt(reply.header("Inference-Header-Content-Length").orElseThrow());
    byte[] body = reply.bytes();
    JsonNode output =
        ServerUnderTest.JSON.readTree(Arrays.copyOf(body, json)).path("outputs").get(0);
    assertThat(output.at("/parameters/binary_data_size").asInt()).isEqualTo(body.length - json);
    assertThat(output.has("data")).isFalse();
    ByteBuffer floats =
        ByteBuffer.wrap(body, json, body.length - json).order(ByteOrder.LITTLE_ENDIAN);
    List<Float> all = new ArrayList<>();
    while (floats.hasRemaining()) {
      all.add(floats.getFloat());
    }
    return all;
  }

  private static Reply send(BinaryRequest request) throws Exception {
    Reply reply =
        Caller.send(
            server
                .request("/v2/models/model/infer")
                .method(HttpMethod.POST)
                .headers(
                    headers -> headers.put("Inference-Header-Content-Length", request.jsonLength()))
                .body(new BytesRequestContent("application/octet-stream", request.body())));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply;
  }

  @Test
  void metadataHasAnInputForEachField() throws Exception {
    assertThat(server.get("/v2/models/model").json().path("inputs"))
        .isEqualTo(
            ServerUnderTest.JSON.readTree(
                """
                [{"name": "amount", "datatype": "FP64", "shape": [-1]},
                 {"name": "shop.country", "datatype": "BYTES", "shape": [-1]},
                 {"name": "code", "datatype": "BYTES", "shape": [-1]},
                 {"name": "new", "datatype": "BOOL", "shape": [-1]},
                 {"name": "at", "datatype": "BYTES", "shape": [-1]}]\
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                                                     | inputs has no tensor",
        "[{'name':'sum','datatype':'FP64','shape':[1],'data':[1]}]              | the model takes the fields amount, shop.country, code, new, at, time",
        "[{'name':'amount','datatype':'FP64','shape':[1,2],'data':[1,2]}]       | inputs[0].shape is [1, 2]; each field has the shape [rows]",
        "[{'name':'amount','datatype':'FP64','shape':[1],'data':[1]},{'name':'new','datatype':'BOOL','shape':[2],'data':[true,false]}] | inputs[1].shape is [2]",
        "[{'name':'amount','datatype':'INT64','shape':[1],'data':[99999999999999999999]}] | inputs[0]",
        "[{'name':'amount','datatype':'BYTES','shape':[1],'data':['much']}]     | Row 0 can't be an example: field \"amount\": a number expected",
        "[{'name':'amount','datatype':'FP64','shape':[1],'data':[1]},{'name':'amount','datatype':'FP64','shape':[1],'data':[1]}] | as that of inputs[0]",
        "[{'name':'amount','datatype':'FP64','shape':[1],'parameters':{'binary_data_size':8}}] | inputs[0] has a binary_data_size of 8, and 0 bytes are left",
        "[{'name':'amount','datatype':'FP64','shape':[1],'data':[1],'parameters':{'binary_data_size':8}}] | inputs[0] has data, and binary_data_size besides",
      })
  void whatIsNoRowOfFieldsIsRefused(String inputs, String message) throws Exception {
    Reply reply = server.infer("{'inputs':%s}".formatted(inputs).replace('\'', '"'));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.error()).contains(message);
  }
}
