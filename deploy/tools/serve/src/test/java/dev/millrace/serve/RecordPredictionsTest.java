package dev.millrace.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as they stand in a topic are predicted as their features are. */
class RecordPredictionsTest {

  private static final FieldsDescription FIELDS =
      FieldsDescription.parse(
          """
          [{"path": "amount", "kind": "number"},
           {"path": "country", "kind": "category", "values": ["DE", "FR"]},
           {"path": "at", "kind": "time", "parts": ["hour-of-day"]}]\
          """,
          null);
  private static final String RECORD =
      """
      {"amount": 12.5, "country": "FR", "at": "2026-01-31T12:00:00Z", "passed-over": {"a": [1]}}\
      """;

  private static ExampleShape shape;

  @TempDir private static Path directory;
  private static ServerUnderTest server;

  @BeforeAll
  static void start() throws IOException {
    shape = FIELDS.shape(Target.CLASSIFICATION, 2);
    publish(directory, Map.of("input.classes", "kept;cancelled"));
    server = ServerUnderTest.start(directory).ready();
  }

  private static void publish(Path to, Map<String, String> options) throws IOException {
    TellingModels.publish(
        to,
        TellingModels.trainedWith(
            options,
            TrainedModels.model(
                "dl4j",
                "mlp",
                shape,
                List.of(4),
                3,
                FeatureStatistics.of(10, new double[] {10}, new double[] {4}))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aRecordIsAnsweredAsItsFeaturesAre() throws Exception {
    Reply reply = server.post("/v2/models/model/predict", RECORD);

    assertThat(reply.status()).isEqualTo(200);
    JsonNode json = reply.json();
    assertThat(json.path("model_version").asText()).isEqualTo("1.3");
    assertThat(json.path("predictions")).hasSize(1);
    JsonNode prediction = json.path("predictions").get(0);
    Reply asTensor = server.infer(tensor(RECORD));
    float[] expected = asTensor.floats("probabilities");
    assertThat(prediction.path("probabilities")).hasSize(2);
    assertThat(prediction.path("probabilities").get(0).floatValue()).isEqualTo(expected[0]);
    assertThat(prediction.path("probabilities").get(1).floatValue()).isEqualTo(expected[1]);
    assertThat(prediction.path("class").asText())
        .isEqualTo(asTensor.data("class_name").get(0).asText());
  }

  @Test
  void recordsOfAnArrayAreAnsweredInTheirOrder() throws Exception {
    String other = "{\"country\": \"DE\"}";

    JsonNode both =
        server
            .post("/v2/models/model/versions/1.3/predict", "[%s,\n %s ]".formatted(other, RECORD))
            .json()
            .path("predictions");

    assertThat(both).hasSize(2);
    assertThat(both.get(0)).isEqualTo(predicted(other));
    assertThat(both.get(1)).isEqualTo(predicted(RECORD));
    assertThat(both.get(0)).isNotEqualTo(both.get(1));
  }

  @Test
  void recordsStandInTheEnvelopeThatTheyWereLearnedIn(@TempDir Path other) throws Exception {
    publish(other, Map.of("input.classes", "kept;cancelled", "input.envelope", "debezium"));
    try (ServerUnderTest enveloped = ServerUnderTest.start(other).ready()) {
      String path = "/v2/models/model/predict";
      Reply reply =
          enveloped.post(
              path, "{\"before\": null, \"op\": \"c\", \"after\": %s}".formatted(RECORD));

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().path("predictions").get(0).path("probabilities"))
          .isEqualTo(predicted(RECORD).path("probabilities"));
      assertThat(enveloped.post(path, RECORD).status()).as("without").isEqualTo(400);
      assertThat(
              enveloped
                  .post(path, "{\"before\": %s, \"op\": \"d\", \"after\": null}".formatted(RECORD))
                  .status())
          .as("a delete")
          .isEqualTo(400);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "17                    | The body holds no record; send one object, or an array of them",
        "[]                    | The body holds no record; send one object, or an array of them",
        "[{}, 3]               | Record 1 is 3; send an object",
        "{} {}                 | Behind the records comes an object; send several in one array",
        "{\"amount\": \"much\"} | Record 0 can't be an example:",
        "{\"amount\":          | The body is no JSON at line 1, column 11, where it ends; send all of it",
      })
  void whatIsNoRecordIsRefused(String body, String message) throws Exception {
    Reply reply = server.post("/v2/models/model/predict", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().path("error").asText()).startsWith(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE"})
  void otherEncodingsAreRefused(String encoding) throws Exception {
    Reply reply = server.post("/v2/models/model/predict", RECORD.getBytes(encoding));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().path("error").asText()).startsWith("The body is no JSON in UTF-8");
  }

  @Test
  void aPathOfItsOwnTakesPostAlone() throws Exception {
    assertThat(server.get("/v2/models/model/predict").status()).isEqualTo(405);
  }

  @Test
  void arraysAreRecordsToo(@TempDir Path plain) throws Exception {
    TellingModels.publish(plain, TrainedModels.flowers("dl4j", 7));
    try (ServerUnderTest flowers = ServerUnderTest.start(plain).ready()) {
      Reply reply =
          flowers.post("/v2/models/model/predict", "{\"features\": [5.1, 3.5, 1.4, 0.2]}");

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().path("predictions").get(0).path("class").asText())
          .isIn(TrainedModels.NAMES);
    }
  }

  private static JsonNode predicted(String record) throws Exception {
    return server.post("/v2/models/model/predict", record).json().path("predictions").get(0);
  }

  private static String tensor(String record) throws Exception {
    JsonNode values = ServerUnderTest.JSON.readTree(record);
    return """
        {"inputs": [{"name": "amount", "shape": [1], "datatype": "FP64", "data": [%s]},
                    {"name": "country", "shape": [1], "datatype": "BYTES", "data": [%s]},
                    {"name": "at", "shape": [1, 1], "datatype": "BYTES", "data": [[%s]]}]}\
        """
        .formatted(values.get("amount"), values.get("country"), values.get("at"));
  }
}
