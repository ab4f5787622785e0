package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ModelExporter.Version;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a model, as Triton follows them. */
class ModelRepositoryTest {

  private final ModelExporter exporter = ModelExporter.find().orElseThrow();

  @TempDir private Path repository;

  @Test
  void eachExportIsTheNextVersion() throws IOException {
    Path directory = repository.resolve("flowers");

    Version first = exporter.addVersion(mlp(4, 1), directory);
    Files.writeString(directory.resolve("config.pbtxt"), "# mine", StandardOpenOption.APPEND);
    Version second = exporter.addVersion(mlp(4, 2), directory);

    assertThat(List.of(first, second))
        .extracting(Version::number, Version::file)
        .containsExactly(
            tuple(1, directory.resolve("1/model.onnx")),
            tuple(2, directory.resolve("2/model.onnx")));
    assertThat(first.file()).exists();
    assertThat(second.file()).exists();
    assertThat(files(directory)).containsExactlyInAnyOrder("1", "2", "config.pbtxt");
    assertThat(directory.resolve("config.pbtxt"))
        .hasContent(
            """
            name: "flowers"
            backend: "onnxruntime"
            max_batch_size: 256
            input { name: "features" data_type: TYPE_FP32 dims: [ 4 ] }
            output { name: "probabilities" data_type: TYPE_FP32 dims: [ 3 ] }
            dynamic_batching { }
            # mine\
            """);
  }

  @Test
  void wordsAndStepsHaveInputsOfTheirOwn() throws IOException {
    Path directory = repository.resolve("flows");

    exporter.addVersion(
        Models.dl4j(
            LayeredNetworks.lastStepOfNumber(FieldShapes.WIDTH, new Random(1)),
            FieldShapes.flows(4),
            new Random(1)),
        directory);

    assertThat(directory.resolve("config.pbtxt"))
        .content()
        .contains(
            "name: \"features\" data_type: TYPE_FP32 dims: [ -1, 10 ]",
            "name: \"words\" data_type: TYPE_STRING dims: [ -1, 2 ]",
            "name: \"values\" data_type: TYPE_FP32 dims: [ 1 ]");
  }

  @Test
  void rowsOfTablesHaveInputsOfTheirOwn() throws IOException {
    Path directory = repository.resolve("clicks");

    exporter.addVersion(
        Models.builtIn("torch", "deepfm", FieldShapes.ids(2), List.of(4), new Random(1)),
        directory);

    assertThat(directory.resolve("config.pbtxt"))
        .content()
        .contains(
            "name: \"features\" data_type: TYPE_FP32 dims: [ 9 ]",
            "name: \"user\" data_type: TYPE_FP32 dims: [ 4 ]",
            "name: \"friends\" data_type: TYPE_FP32 dims: [ 4 ]");
  }

  @Test
  void aModelOfOtherInputsLeavesTheDirectoryAsItWas() throws IOException {
    exporter.addVersion(mlp(4, 1), repository);

    assertThatExceptionOfType(InvalidModelException.class)
        .isThrownBy(() -> exporter.addVersion(mlp(5, 1), repository))
        .withMessageContaining("other inputs or outputs");

    assertThat(files(repository)).containsExactlyInAnyOrder("1", "config.pbtxt");
  }

  @Test
  void aModelThatFailsLeavesNoVersion() throws IOException {
    ServableModel model = mlp(4, 1);
    Arrays.fill(model.vector(), Float.NaN);

    assertThatExceptionOfType(InvalidModelException.class)
        .isThrownBy(() -> exporter.addVersion(model, repository));

    assertThat(files(repository)).isEmpty();
  }

  @Test
  void aFileSaysWhatItIs() throws IOException {
    ServableModel model = mlp(4, 1);
    Path file = repository.resolve("model.onnx");

    exporter.write(
        new ServableModel(
            model.spec(),
            model.vector(),
            model.learned(),
            List.of("a", "b \"c\"", "\u00fc"),
            Map.of("millrace.version", "2.7")),
        file);

    ModelProto proto = ModelProto.parseFrom(Files.readAllBytes(file));
    assertThat(proto.getMetadataPropsList())
        .extracting(StringStringEntryProto::getKey, StringStringEntryProto::getValue)
        .containsExactly(
            tuple("millrace.classes", "[\"a\",\"b \\\"c\\\"\",\"\u00fc\"]"),
            tuple("millrace.version", "2.7"));
    assertThat(proto.getProducerName()).isEqualTo("millrace");
    assertThat(proto.getOpsetImport(0).getVersion()).isEqualTo(17);
    assertThat(proto.getGraph().getInput(0).getType().getTensorType().getShape().getDim(0))
        .matches(examples -> examples.hasDimParam(), "any number of examples");
  }

  static ServableModel mlp(int features, int seed) {
    return Models.builtIn("dl4j", "mlp", Models.classes(features, 3), List.of(5), new Random(seed));
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
