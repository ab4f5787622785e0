package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.RowShapes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model in the form of MLflow's documentation, whose example ONNX Runtime takes. */
class MlflowModelTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ModelExporter exporter = ModelExporter.find().orElseThrow();

  @TempDir private Path parent;

  @Test
  void theDescriptionNamesWhatIsThere() throws Exception {
    Path directory = parent.resolve("flowers");
    ServableModel model = ModelRepositoryTest.mlp(4, 1);

    exporter.writeMlflow(
        new ServableModel(
            model.spec(),
            model.vector(),
            model.learned(),
            List.of("a", "b", "c"),
            Map.of("millrace.version", "2.7")),
        directory);

    assertThat(files(directory))
        .containsExactlyInAnyOrder(
            "MLmodel",
            "model.onnx",
            "input_example.json",
            "conda.yaml",
            "python_env.yaml",
            "requirements.txt");
    JsonNode description = JSON.readTree(directory.resolve("MLmodel").toFile());
    assertThat(description.at("/flavors/onnx/data").textValue()).isEqualTo("model.onnx");
    assertThat(description.at("/flavors/python_function/loader_module").textValue())
        .isEqualTo("mlflow.onnx");
    assertThat(JSON.readTree(description.at("/signature/inputs").textValue()))
        .isEqualTo(
            JSON.readTree(
                "[{\"name\":\"features\",\"type\":\"tensor\",\"tensor-spec\":{\"dtype\":\"float32\",\"shape\":[-1,4]}}]"));
    assertThat(
            JSON.readTree(description.at("/signature/outputs").textValue())
                .at("/0/name")
                .textValue())
        .isEqualTo("probabilities");
    assertThat(description.at("/metadata/millrace.version").textValue()).isEqualTo("2.7");
    assertThat(description.at("/metadata/millrace.classes").size()).isEqualTo(3);
    assertExampleRuns(directory);
  }

  @Test
  void wordsAndStepsAreInTheExample() throws Exception {
    Path directory = parent.resolve("flows");

    exporter.writeMlflow(
        Models.dl4j(
            LayeredNetworks.lastStepOfNumber(FieldShapes.WIDTH, new Random(1)),
            FieldShapes.flows(4),
            new Random(1)),
        directory);

    JsonNode example = JSON.readTree(directory.resolve("input_example.json").toFile());
    assertThat(example.at("/inputs/features/0/0").size()).isEqualTo(10);
    assertThat(example.at("/inputs/words/1/0").size()).isEqualTo(2);
    assertExampleRuns(directory);
  }

  @Test
  void rowsOfTablesAreInTheExample() throws Exception {
    Path directory = parent.resolve("clicks");

    exporter.writeMlflow(
        Models.builtIn("torch", "deepfm", RowShapes.rowsAlone(2), List.of(4), new Random(1)),
        directory);

    JsonNode example = JSON.readTree(directory.resolve("input_example.json").toFile());
    assertThat(example.get("inputs").properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("id0", "id4");
    assertThat(example.at("/inputs/id4/1").size()).isEqualTo(4);
    assertThat(example.at("/inputs/id4/1")).isNotEqualTo(example.at("/inputs/id0/1"));
    assertExampleRuns(directory);
  }

  @Test
  void whatFailsOrIsThereAlreadyLeavesNothing() throws IOException {
    ServableModel model = ModelRepositoryTest.mlp(4, 1);
    Arrays.fill(model.vector(), Float.NaN);

    assertThatExceptionOfType(InvalidModelException.class)
        .isThrownBy(() -> exporter.writeMlflow(model, parent.resolve("m")));
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> exporter.writeMlflow(ModelRepositoryTest.mlp(4, 1), parent));

    assertThat(files(parent)).isEmpty();
  }

  private static void assertExampleRuns(Path directory) throws Exception {
    JsonNode inputs = JSON.readTree(directory.resolve("input_example.json").toFile()).get("inputs");
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session =
        environment.createSession(directory.resolve("model.onnx").toString())) {
      Map<String, OnnxTensor> tensors = new HashMap<>();
      for (String name : session.getInputNames()) {
        JsonNode values = inputs.get(name);
        Object array =
            name.equals("words")
                ? JSON.treeToValue(values, String[][][].class)
                : values.get(0).get(0).isArray()
                    ? JSON.treeToValue(values, float[][][].class)
                    : JSON.treeToValue(values, float[][].class);
        tensors.put(name, OnnxTensor.createTensor(environment, array));
      }
      try (OrtSession.Result result = session.run(tensors)) {
        assertThat((float[][]) result.get(0).getValue()).hasNumberOfRows(2);
      }
    }
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
