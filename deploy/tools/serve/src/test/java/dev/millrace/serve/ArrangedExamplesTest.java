package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.job.testing.StructuredModels;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests and metadata of models whose examples are more than one array of numbers. */
class ArrangedExamplesTest {

  private static final ExampleShape SEQUENCES =
      new ExampleShape(
          6, 2, Target.REGRESSION, FeatureColumns.PLAIN, new ExampleStructure(3, true));

  @Test
  void aSequenceMayBeShorterThanTheLongest() throws Exception {
    Signature signature = Signature.of(SEQUENCES, false);

    InferRequest request =
        read(
            new RequestReader(signature, 10),
            "{'name':'features','datatype':'FP32','shape':[2,2,2],"
                + "'data':[[[1,2],[3,4]],[[5,6],[7,8]]]}");

    assertThat(request.steps()).isEqualTo(2);
    assertThat(request.features()).containsExactly(1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0);
    assertThat(signature.inputs().get(0).shape()).containsExactly(-1, -1, 2);
    assertThat(Signature.shapeOf(signature.shape(), signature.outputs().get(0), 2, 2))
        .containsExactly(2, 2, 2);
  }

  @Test
  void aSequenceIsPredictedForItsOwnSteps(@TempDir Path directory) throws Exception {
    GlobalModel model =
        TrainedModels.model(StructuredModels.eachStep(directory), 3, new FeatureStatistics(0));
    ExampleShape shape = model.spec().shape();
    float[] given = {1, 2, 3, -4, 5, 6};
    float[] expected = new float[shape.labels()];
    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      replica.predict(Arrays.copyOf(given, shape.features()), new int[] {2}, 1, expected);
    }
    Path models = Files.createDirectories(directory.resolve("models"));
    TellingModels.publish(models, model);

    try (ServerUnderTest server = ServerUnderTest.start(models).ready()) {
      Reply reply =
          server.infer(
              body("{'name':'features','datatype':'FP32','shape':[1,2,3],'data':[1,2,3,-4,5,6]}"));

      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      // ONNX Runtime may add up in another order.
      assertThat(server.metric("millrace_serve_by_runtime")).isEqualTo(1);
      assertThat(reply.floats("probabilities"))
          .containsExactly(Arrays.copyOf(expected, 4), within(1e-5f));
      assertThat(reply.data("class")).hasSize(2);
      assertThat(reply.json().path("outputs").get(0).path("shape")).hasToString("[1,2,2]");
      assertThat(reply.json().path("outputs").get(1).path("shape")).hasToString("[1,2]");
    }
  }

  @Test
  void aSequenceMayNotBeLongerThanTheLongest() {
    RequestReader reader = new RequestReader(Signature.of(SEQUENCES, false), 10);

    assertThat(
            refused(
                reader,
                "{'name':'features','datatype':'FP32','shape':[1,4,2],'data':[1,2,3,4,5,6,7,8]}"))
        .contains("inputs[0].shape has 4 steps; the model takes sequences of up to 3");
  }

  @Test
  void wordsComeAsTextsAndMayBeMissingAsNumbersMay() throws Exception {
    ExampleShape shape = FieldShapes.flows(1);
    RequestReader reader = new RequestReader(Signature.of(shape, false), 10);
    String features =
        "{'name':'features','datatype':'FP32','shape':[1,1,10],'data':[1,null,3,0,0,0,0,0,9,0]}";

    InferRequest request =
        read(
            reader,
            features + ",{'name':'words','datatype':'BYTES','shape':[1,1,2],'data':['http',null]}");

    assertThat(request.words()).containsExactly("http", null);
    assertThat(request.features()[1]).isNaN();
    assertThat(refused(reader, features)).contains("no \"words\"; the model takes them");
    assertThat(
            refused(
                reader,
                features
                    + ",{'name':'words','datatype':'BYTES','shape':[2,1,2],'data':['a','b','c','d']}"))
        .contains("give both as many rows and steps");
    assertThat(
            refused(
                reader,
                features + ",{'name':'words','datatype':'FP32','shape':[1,1,2],'data':[1,2]}"))
        .contains("inputs[1].datatype is FP32; \"words\" are texts (BYTES)");
  }

  @Test
  void severalOutputsHaveTheirOwnNames() {
    ExampleShape shape =
        new ExampleShape(
            4,
            5,
            Target.CLASSIFICATION,
            FeatureColumns.PLAIN,
            new ExampleStructure(
                0,
                false,
                List.of(),
                List.of(
                    new ExampleStructure.Output(
                        "kind", new IndexRange(0, 3), Target.CLASSIFICATION),
                    new ExampleStructure.Output("size", new IndexRange(3, 5), Target.REGRESSION))));

    Signature signature = Signature.of(shape, true);

    assertThat(signature.outputNames()).containsExactly("kind", "size");
    assertThat(Signature.shapeOf(signature.shape(), signature.outputs().get(1), 7, 0))
        .containsExactly(7, 2);
  }

  private static String refused(RequestReader reader, String inputs) {
    try {
      read(reader, inputs);
      return "";
    } catch (RefusedRequestException e) {
      return e.getMessage();
    }
  }

  private static InferRequest read(RequestReader reader, String inputs)
      throws RefusedRequestException {
    byte[] body = body(inputs).getBytes(UTF_8);
    return reader.read(new Body(body, body.length, body.length));
  }

  private static String body(String inputs) {
    return "{'inputs':[%s]}".formatted(inputs).replace('\'', '"');
  }
}
