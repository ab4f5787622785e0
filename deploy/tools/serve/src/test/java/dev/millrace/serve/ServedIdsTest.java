package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.FLOAT;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.IdHash;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelTrust;
import dev.millrace.job.follow.TrustedModels;
import dev.millrace.job.serve.Endpoint.Access;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.TrustedKeys;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records with ids, in each form of request; rows come of a map here. */
class ServedIdsTest {

  private static final FieldsDescription FIELDS =
      FieldsDescription.parse(
          """
          [{"path": "user", "kind": "id", "table": "users", "dimension": 3},
           {"path": "items", "kind": "ids", "table": "items", "dimension": 2, "pooling": "mean"},
           {"path": "tags", "kind": "ids", "table": "tags", "dimension": 2, "pooling": "sum",
            "separator": "|"},
           {"path": "price", "kind": "number", "scale": "none"}]\
          """,
          null);
  private static final ExampleShape SHAPE = FIELDS.shape(Target.REGRESSION, 1);
  private static final GlobalModel MODEL =
      TrainedModels.model("dl4j", "mlp", SHAPE, List.of(4), 1, TrainedModels.none(SHAPE));

  /** ONNX Runtime may add up in another order. */
  private static final Offset<Float> LAST_BITS = within(1e-4f);

  @TempDir private static Path directory;
  private static final HeapRows ROWS = new HeapRows();
  private static ServerUnderTest server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    ROWS.put("users", IdHash.of("users", "ann"), 1, -2, 3);
    ROWS.put("users", IdHash.of("users", "7"), -3, 2, 1);
    ROWS.put("items", IdHash.of("items", "a"), 1, 4);
    ROWS.put("items", IdHash.of("items", "5"), 3, -2);
    ROWS.put("tags", IdHash.of("tags", "new"), 0.5f, 1);
    ROWS.put("tags", IdHash.of("tags", "red"), 1.5f, 2);
    TellingModels.publish(directory, MODEL);
    server = start(directory, ROWS).ready();
    channel = GrpcTest.channel(server);
  }

  private static ServerUnderTest start(Path models, HeapRows rows) throws IOException {
    return ServerUnderTest.start(
        new TrustedModels(
            ModelDirectory.of(models.toString(), false),
            new ModelTrust("dl4j", "scoring.engine", TrustedKeys.read(List.of())),
            rows,
            null),
        GrpcTest.endpoint(Optional.empty(), new Access.ThisMachine()));
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.close();
    assertThat(ROWS.closed).isTrue();
  }

  /** Predicts with these features, in the order of the fields. */
  private static float expected(float[] user, float[] items, float[] tags, float price) {
    float[] features = new float[SHAPE.features()];
    float[][] fields = {user, items, tags};
    boolean[] taken = new boolean[features.length];
    for (int field = 0; field < fields.length; field++) {
      IndexRange columns = SHAPE.columns().ids().get(field).features();
      for (int i = 0; i < columns.length(); i++) {
        features[columns.from() + i] = fields[field][i];
        taken[columns.from() + i] = true;
      }
    }
    for (int i = 0; i < features.length; i++) {
      if (!taken[i]) {
        features[i] = price;
      }
    }
    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(MODEL.spec(), DeviceRequest.any())) {
      replica.write(0, MODEL.vector(), 0, MODEL.spec().parameters());
      float[] outputs = new float[1];
      replica.predict(features, null, 1, outputs);
      return outputs[0];
    }
  }

  private static float[] initial(String table, String word, int dimension) {
    float[] values = new float[dimension];
    InitialRow.DEFAULT.fill(
        RowTable.of(table, dimension).hash(), IdHash.of(table, word), values, 0, dimension);
    return values;
  }

  private static float predict(String record) throws Exception {
    Reply reply = server.post("/v2/models/model/predict", record);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json().path("predictions").get(0).path("values").get(0).floatValue();
  }

  private static float infer(String... inputs) throws Exception {
    Reply reply = server.infer("{\"inputs\":[%s]}".formatted(String.join(",", inputs)));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.floats("values")[0];
  }

  private static String input(String name, String type, String element) {
    return "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[1],\"data\":[%s]}"
        .formatted(name, type, element);
  }

  private static final float[] ANN = {1, -2, 3};
  private static final float[] NONE = {0, 0};

  @Test
  void aRecordIsPredictedOfTheRowsOfItsIds() throws Exception {
    float predicted =
        predict("{\"user\":\"ann\",\"items\":[\"a\",5],\"tags\":\"new | red\",\"price\":2}");

    assertThat(predicted)
        .isCloseTo(expected(ANN, new float[] {2, 1}, new float[] {2, 3}, 2), LAST_BITS);
  }

  /** It predicts what the other tests ask for. */
  @Test
  void onnxRuntimePredicts() throws Exception {
    assertThat(server.metric("millrace_serve_by_runtime")).isEqualTo(1);
  }

  @Test
  void anIdWithoutARowAndAListWithoutIdsArePredicted() throws Exception {
    assertThat(predict("{\"user\":\"bob\",\"items\":[],\"tags\":\"\",\"price\":0}"))
        .isCloseTo(expected(initial("users", "bob", 3), NONE, NONE, 0), LAST_BITS);
    assertThat(predict("{\"items\":[\"zz\"],\"price\":0}"))
        .isCloseTo(expected(new float[3], initial("items", "zz", 2), NONE, 0), LAST_BITS);
  }

  @Test
  void tensorsOfFieldsArePredictedAsRecordsAre() throws Exception {
    assertThat(
            infer(
                input("user", "BYTES", "\"ann\""),
                input("tags", "BYTES", "\"new|red\""),
                input("price", "FP64", "2")))
        .isCloseTo(expected(ANN, NONE, new float[] {2, 3}, 2), LAST_BITS);
    assertThat(infer(input("user", "INT64", "7"), input("price", "FP64", "2")))
        .isCloseTo(expected(new float[] {-3, 2, 1}, NONE, NONE, 2), LAST_BITS);
  }

  /** A tensor has one value a row: a list goes as a text with a separator, or in a record. */
  @Test
  void aTensorOfListsIsRefused() throws Exception {
    Reply one =
        server.infer(
            "{\"inputs\":[%s,%s]}"
                .formatted(input("items", "BYTES", "\"a\""), input("price", "FP64", "1")));
    assertThat(one.status()).isEqualTo(400);
    assertThat(one.error())
        .contains("field \"items\": a list expected, \"a\" found; the key separator says how");
    Reply reply =
        server.infer(
            "{\"inputs\":[{\"name\":\"items\",\"datatype\":\"BYTES\",\"shape\":[1,2],"
                + "\"data\":[\"a\",\"5\"]}]}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.error())
        .contains("inputs[0].shape is [1, 2]; each field has the shape [rows] or [rows, 1]");
  }

  @Test
  void aModelTellsItsFieldsOfIds() throws Exception {
    JsonNode inputs = server.get("/v2/models/model").json().path("inputs");

    assertThat(inputs)
        .extracting(input -> input.path("name").asText() + " " + input.path("datatype").asText())
        .containsExactly("user BYTES", "items BYTES", "tags BYTES", "price FP64");
  }

  @Test
  void grpcTakesIds() {
    DynamicMessage answer =
        GrpcTest.infer(
            channel,
            GrpcTest.message(
                "Request",
                "model",
                "model",
                "inputs",
                List.of(slot("user", "INT64"), slot("tags", "BYTES"), slot("price", "FP64")),
                "raw",
                List.of(
                    bytes(little(8).putLong(7)),
                    bytes(little(11).putInt(7).put("red|new".getBytes(UTF_8))),
                    bytes(little(8).putDouble(2)))));

    assertThat(GrpcTest.floats((ByteString) ((List<?>) GrpcTest.get(answer, "raw")).get(0)))
        .singleElement(as(FLOAT))
        .isCloseTo(expected(new float[] {-3, 2, 1}, NONE, new float[] {2, 3}, 2), LAST_BITS);
  }

  private static DynamicMessage slot(String name, String type) {
    return GrpcTest.message("Input", "name", name, "datatype", type, "shape", List.of(1L));
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteString bytes(ByteBuffer filled) {
    return ByteString.copyFrom(filled.flip());
  }

  @Test
  void aRowThatTrainingChangesIsReadByTheNextRequest() throws Exception {
    String record = "{\"user\":\"changing\",\"price\":0}";
    assertThat(predict(record))
        .isCloseTo(expected(initial("users", "changing", 3), NONE, NONE, 0), LAST_BITS);

    ROWS.put("users", IdHash.of("users", "changing"), 5, 5, 5);

    assertThat(predict(record))
        .isCloseTo(expected(new float[] {5, 5, 5}, NONE, NONE, 0), LAST_BITS);
  }

  @Test
  void aServerIsReadyOnceTheRowsAreThere(@TempDir Path temporary) throws Exception {
    Path models = Files.createDirectory(temporary.resolve("models"));
    TellingModels.publish(models, MODEL);
    HeapRows late = new HeapRows();
    late.there = false;
    try (ServerUnderTest waiting = start(models, late)) {
      await().atMost(ServerUnderTest.PATIENCE).until(() -> late.asked.get() > 2);
      assertThat(waiting.get("/v2/health/ready").status()).isEqualTo(503);

      late.there = true;

      waiting.ready();
      assertThat(waiting.metric("millrace_serve_refused_models_total")).isZero();
    }
  }
}
