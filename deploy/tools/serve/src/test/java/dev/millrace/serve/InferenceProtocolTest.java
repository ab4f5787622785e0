package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.TellingModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Open Inference Protocol, with a network of named classes. */
class InferenceProtocolTest {

  private static final String ROW = "5.1, 3.5, 1.4, 0.2";

  @TempDir private static Path directory;
  private static ServerUnderTest server;

  @BeforeAll
  static void start() throws IOException {
    TellingModels.publish(directory, TrainedModels.flowers("dl4j", 7));
    server = ServerUnderTest.start(directory).ready();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aRowIsAnsweredWithProbabilitiesAndItsClass() throws Exception {
    Reply reply =
        server.infer(
            """
            {"id": "f-17", "inputs": [{"name": "features", "shape": [1, 4], "datatype": "FP32",
             "data": [%s]}]}\
            """
                .formatted(ROW));

    assertThat(reply.status()).isEqualTo(200);
    JsonNode json = reply.json();
    assertThat(json.path("model_name").asText()).isEqualTo("model");
    assertThat(json.path("model_version").asText()).isEqualTo("1.7");
    assertThat(reply.header("millrace-model-version")).contains("1.7");
    assertThat(json.path("id").asText()).isEqualTo("f-17");
    float[] probabilities = reply.floats("probabilities");
    assertThat(probabilities).hasSize(3);
    assertThat(probabilities[0] + probabilities[1] + probabilities[2]).isCloseTo(1, within(1e-5f));
    int best = reply.data("class").get(0).asInt();
    assertThat(probabilities[best]).isEqualTo(max(probabilities));
    assertThat(reply.data("class_name").get(0).asText()).isEqualTo(TrainedModels.NAMES.get(best));
    assertThat(json.path("outputs").get(0).path("shape")).hasToString("[1,3]");
    assertThat(json.path("outputs").get(1).path("shape")).hasToString("[1]");
    assertThat(json.path("outputs").get(1).path("datatype").asText()).isEqualTo("INT64");
    assertThat(json.path("outputs").get(2).path("datatype").asText()).isEqualTo("BYTES");
  }

  private static float max(float[] values) {
    float max = values[0];
    for (float value : values) {
      max = Math.max(max, value);
    }
    return max;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FP32  | [[5, 3, 1, 0], [6, 2, 4, 1]]",
        "FP64  | [5, 3, 1, 0, 6, 2, 4, 1]",
        "FP16  | [5.0, 3, 1e0, 0, 6, 2, 4, 1]",
        "INT64 | [[5, 3, 1, 0], [6, 2, 4, 1]]",
        "INT8  | [5, 3, 1, 0, 6, 2, 4, 1]",
        "UINT8 | [5, 3, 1, 0, 6, 2, 4, 1]"
      })
  void dataMayBeFlatOrNestedAndOfAnyTypeOfNumbers(String type, String data) throws Exception {
    float[] expected =
        server
            .infer(ServerUnderTest.features(2, 4, 5, 3, 1, 0, 6, 2, 4, 1))
            .floats("probabilities");

    Reply reply = server.infer(body("[2, 4]", type, data));

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.floats("probabilities")).containsExactly(expected);
  }

  @Test
  void onlyTheOutputsThatAreAskedForAreGivenInThatOrder() throws Exception {
    Reply reply =
        server.infer(
            """
            {"outputs": [{"name": "class"}, {"name": "probabilities", "parameters": {"a": [1]}}],
             "parameters": {"any": {"deep": true}},
             "inputs": [{"datatype": "FP32", "data": [%s], "shape": [1, 4], "name": "features"}]}\
            """
                .formatted(ROW));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().path("outputs").findValuesAsText("name"))
        .containsExactly("class", "probabilities");
    assertThat(reply.json().has("id")).isFalse();
  }

  /** Typed clients write what they don't use so. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'id':null,'parameters':null,'inputs':[INPUT],'outputs':null}",
        "{'id':null,'inputs':[INPUT]}",
        "{'inputs':[INPUT],'outputs':null}",
        "{'inputs':[INPUT],'outputs':[]}",
        "{'inputs':[{'parameters':null,'data':[1,2,3,4],'shape':[1,4],'datatype':'FP32','name':'features'}]}",
        "{'inputs':[INPUT],'outputs':[{'name':'probabilities','parameters':null,'data':null,'shape':null},"
            + "{'name':'class'},{'name':'class_name','datatype':null}]}",
        "{'inputs':[INPUT],'parameters':{'binary_data_output':false},'anything':null}"
      })
  void aMemberThatIsNullIsAbsent(String body) throws Exception {
    String whole = ServerUnderTest.features(1, 4, 1, 2, 3, 4);
    String input = whole.substring(whole.indexOf('[') + 1, whole.length() - 2);

    Reply reply = server.infer(body.replace('\'', '"').replace("INPUT", input));

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json()).isEqualTo(server.infer(whole).json());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ | no JSON at line 1, column 2, where it ends; send all of it",
        "{\"id\":x} | no JSON at line 1, column 7; send one object of JSON in UTF-8",
        "[] | an array; it must be an object",
        "{} | no \"features\"",
        "{\"id\":\"\\ud800x\"} | id has one half of a surrogate pair",
        "{\"id\":[\"\\ud800\"]} | id is an array",
        "{\"inputs\":\"\\ud800\"} | inputs is \"?\"; it must be an array",
        "{\"id\":3} | id is 3; it must be a text",
        "{\"inputs\":{}} | inputs is an object; it must be an array",
        "{\"inputs\":[7]} | inputs[0] is 7; it must be an object",
        "{\"inputs\":[{\"name\":\"x\"}]} | inputs[0] has no shape",
        "{\"id\":\"a\",\"id\":\"b\"} | The request has \"id\" twice; give it once",
        "{\"id\":null,\"id\":\"b\"} | The request has \"id\" twice",
        "{\"inputs\":[{\"name\":\"x\",\"name\":\"x\"}]} | inputs[0] has \"name\" twice",
        "{\"inputs\":null} | no \"features\"",
        "{\"inputs\":[null]} | inputs[0] is null; it must be an object",
        "{\"inputs\":[{\"name\":null}]} | inputs[0] has no name",
        "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1 | more than this server reads",
        "{\"a\":1,\"a\":2,\"b\":{\"c\":1,\"c\":2}} | no \"features\"",
      })
  void aBodyThatIsNoRequestIsRefused(String body, String message) throws Exception {
    assertRefused(body, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 4] | FP32 | [1, 2, 3] | inputs[0].data has 3 elements, and the shape [1, 4] asks for"
            + " 4",
        "[4] | FP32 | [1, 2, 3, 4] | inputs[0].shape is [4]; it must be [rows, 4]",
        "[1, 3] | FP32 | [1, 2, 3] | inputs[0].shape is [1, 3]; it must be [rows, 4]",
        "[0, 4] | FP32 | [] | with at least one row",
        "[1, -4] | FP32 | [1, 2, 3, 4] | inputs[0].shape has -4; lengths are whole numbers",
        "[1, 4.0] | FP32 | [1, 2, 3, 4] | inputs[0].shape has 4.0",
        "[99999999999, 4] | FP32 | [1] | inputs[0].shape has 99999999999",
        "7 | FP32 | [1, 2, 3, 4] | inputs[0].shape is 7; it must be an array of lengths",
        "[1, 4] | FLOAT | [1, 2, 3, 4] | inputs[0].datatype is \"FLOAT\"; it must be one of BOOL",
        "[1, 4] | BYTES | [\"a\",\"b\",\"c\",\"d\"] | inputs[0].datatype is BYTES; \"features\" are"
            + " numbers",
        "[1, 4] | FP32 | [1, 2, \"3\", 4] | inputs[0].data has a text as element 2",
        "[1, 4] | FP32 | [1, 2, null, 4] | inputs[0].data has null as element 2, and the datatype"
            + " is FP32; this model's examples have no missing values",
        "[1, 4] | FP32 | [1, 2, true, 4] | true or false as element 2",
        "[1, 4] | FP32 | [1, 2, {}, 4] | an object as element 2",
        "[1, 4] | INT32 | [1, 2, 3.5, 4] | a fraction as element 2",
        "[1, 4] | INT8 | [1, 2, 300, 4] | 300.0 as element 2, which INT8 doesn't hold",
        "[1, 4] | UINT8 | [1, -2, 3, 4] | -2.0 as element 1, which UINT8 doesn't hold",
        "[1, 4] | FP32 | [1, 2, 1e39, 4] | 1.0E39 as element 2, which FP32 doesn't hold",
        "[1, 4] | FP64 | [1, 2, 1e39, 4] | 1.0E39 as element 2; models compute with numbers of 32"
            + " bits",
        "[1, 4] | FP32 | [1, 2, NaN, 4] | no JSON",
        "[2, 4] | FP32 | [[1, 2, 3, 4], [5, 6, 7]] | an array of 3 elements beside one of 4",
        "[2, 4] | FP32 | [[1, 2, 3, 4], 5, 6, 7, 8] | arrays and elements side by side",
        "[2, 4] | FP32 | [1, [2, 3, 4]] | arrays and elements side by side",
        "[1, 4] | FP32 | [[1, 2], [3, 4]] | of the shape [2, 2], and shape says [1, 4]",
        "[1, 4] | FP32 | [[[[1]]]] | more than 3 deep",
        "[1, 4] | FP32 | 7 | inputs[0].data is 7; it must be an array",
        "[1, 4] | FP32 | null | inputs[0] has no data",
        "null | FP32 | [1, 2, 3, 4] | inputs[0] has no shape",
        "[0, 4] | FP32 | [[], []] | inputs[0].data has an empty array in an array",
      })
  void aTensorThatIsWrongIsRefusedWithTheFirstThingThatIs(
      String shape, String type, String data, String message) throws Exception {
    assertRefused(body(shape, type, data), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"name\":\"logits\"}] | outputs[0].name is \"logits\"; the model gives probabilities,"
            + " class, class_name",
        "[{\"name\":\"class\"},{\"name\":\"class\"}] | outputs[1] names \"class\" again",
        "[{}] | outputs[0] names none",
        "[4] | outputs[0] is 4",
        "4 | outputs is 4"
      })
  void anOutputThatThereIsNotIsRefused(String outputs, String message) throws Exception {
    String whole = ServerUnderTest.features(1, 4, 1, 2, 3, 4);

    assertRefused(
        whole.substring(0, whole.length() - 1) + ",\"outputs\":" + outputs + "}", message);
  }

  @Test
  void nothingMayFollowARequest() throws Exception {
    assertRefused(
        ServerUnderTest.features(1, 4, 1, 2, 3, 4) + " {}",
        "Behind the request's JSON comes an object");
  }

  @Test
  void anInputThatThereIsNotIsRefused() throws Exception {
    assertRefused(
        body("[1, 4]", "FP32", "[1,2,3,4]").replace("features", "pixels"),
        "inputs[0].name is \"pixels\"; the model takes features");
    String twice =
        body("[1, 4]", "FP32", "[1,2,3,4]").replaceAll("(\\{\"name.*\\})\\]\\}", "$1,$1]}");
    assertRefused(twice, "inputs has more than 1; the model takes features, once");
    assertRefused(
        body("[1, 1]", "BYTES", "[\"a\"]").replace("features", "words"),
        "inputs[0].name is \"words\"; the model takes features");
  }

  private static void assertRefused(String body, String message) throws Exception {
    Reply reply = server.infer(body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.error()).contains(message);
  }

  private static String body(String shape, String type, String data) {
    return "{\"inputs\":[{\"name\":\"features\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}]}"
        .formatted(shape, type, data);
  }

  @Test
  void aModelSaysWhatItTakesAndGives() throws Exception {
    JsonNode expected =
        ServerUnderTest.JSON.readTree(
            """
            {"name": "model", "versions": ["1.7"], "platform": "millrace_dl4j",
             "inputs": [{"name": "features", "datatype": "FP32", "shape": [-1, 4]}],
             "outputs": [{"name": "probabilities", "datatype": "FP32", "shape": [-1, 3]},
                         {"name": "class", "datatype": "INT64", "shape": [-1]},
                         {"name": "class_name", "datatype": "BYTES", "shape": [-1]}]}\
            """);

    assertThat(server.get("/v2/models/model").json()).isEqualTo(expected);
    assertThat(server.get("/v2/models/model/versions/1.7").json()).isEqualTo(expected);
  }

  @Test
  void aServerSaysWhatItIs() throws Exception {
    JsonNode json = server.get("/v2").json();

    assertThat(json.path("name").asText()).isEqualTo("millrace");
    assertThat(json.path("version").asText()).isNotEmpty();
    assertThat(json.path("extensions").isArray()).isTrue();
    assertThat(server.get("/v2/health/live").body()).isEqualTo("{\"live\":true}");
    assertThat(server.get("/v2/health/ready").body()).isEqualTo("{\"ready\":true}");
    assertThat(server.get("/v2/models/model/ready").body())
        .isEqualTo("{\"name\":\"model\",\"ready\":true}");
    assertThat(server.get("/v2/models/model/versions/1.7/ready").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1/models/model",
        "/v2/models",
        "/v2/models/other",
        "/v2/models/model/versions/1.8",
        "/v2/models/model/versions/1.8/ready",
        "/v2/models/model/config",
        "/v2/health",
        "/v2/models/%3Cscript%3E"
      })
  void whatIsNotThereIs404(String path) throws Exception {
    Reply reply = server.get(path);

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.error()).isNotEmpty();
    assertThat(reply.header("Content-Type")).hasValue("application/json");
  }

  @Test
  void aVersionThatIsServedPredictsAndAnotherDoesNot() throws Exception {
    String body = ServerUnderTest.features(1, 4, 1, 2, 3, 4);

    assertThat(server.post("/v2/models/model/versions/1.7/infer", body).status()).isEqualTo(200);
    Reply other = server.post("/v2/models/model/versions/1.6/infer", body);
    assertThat(other.status()).isEqualTo(404);
    assertThat(other.error())
        .isEqualTo("Version \"1.6\" isn't served; the one that is served is 1.7");
  }

  @Test
  void anotherMethodIs405AndSaysWhichThereAre() throws Exception {
    Reply reply = server.get("/v2/models/model/infer");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("Allow")).hasValue("POST");
    assertThat(server.post("/v2/health/live", "{}").status()).isEqualTo(405);
  }

  @Test
  void aBodyThatIsNotSaidToBeJsonIs415() throws Exception {
    byte[] body = ServerUnderTest.features(1, 4, 1, 2, 3, 4).getBytes(UTF_8);
    for (String[] header :
        new String[][] {
          {"Content-Type", "application/octet-stream"},
          {"Content-Type", "text/plain"},
          {"Content-Encoding", "gzip"}
        }) {
      Reply reply =
          Caller.send(
              server
                  .request("/v2/models/model/infer")
                  .method(HttpMethod.POST)
                  .headers(headers -> headers.put(header[0], header[1]))
                  .body(new BytesRequestContent(Api.JSON, body)));
      assertThat(reply.status()).as(header[1]).isEqualTo(415);
      assertThat(reply.error()).contains(header[0], header[1]);
    }
  }

  @Test
  void withoutAModelItIsLiveAndNotReady(@TempDir Path empty) throws Exception {
    try (ServerUnderTest waiting = ServerUnderTest.start(Files.createDirectories(empty))) {
      assertThat(waiting.get("/v2/health/live").status()).isEqualTo(200);
      Reply ready = waiting.get("/v2/health/ready");
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.error()).contains("no model yet");
      assertThat(waiting.get("/v2/models/model").status()).isEqualTo(503);
      Reply infer = waiting.infer(ServerUnderTest.features(1, 4, 1, 2, 3, 4));
      assertThat(infer.status()).isEqualTo(503);
      assertThat(infer.header("Retry-After")).hasValue("1");

      TellingModels.publish(empty, TrainedModels.flowers("dl4j", 1));

      waiting.ready();
      assertThat(waiting.infer(ServerUnderTest.features(1, 4, 1, 2, 3, 4)).status()).isEqualTo(200);
    }
  }
}
