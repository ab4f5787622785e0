package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.job.testing.ElsewhereFileSystem;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Export, inspect and diff, on the savepoint of the first release that the tests keep. */
class KeptModelCommandsTest {

  private static final Path FIXTURE =
      Path.of("../../../flink-job/src/test/resources/dev/millrace/job/it/savepoint-1.base64");

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir Path directory;

  private Path savepoint;
  private Path archive;

  @BeforeEach
  void unpack() throws IOException {
    savepoint = Files.createDirectory(directory.resolve("savepoint"));
    Files.write(
        savepoint.resolve("_metadata"), Base64.getMimeDecoder().decode(Files.readString(FIXTURE)));
    archive = directory.resolve("model.zip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_metadata"})
  void aSavepointOfTheFirstReleaseIsExported(String file) throws IOException {
    assertThat(execute("export", "--from", savepoint.resolve(file), "--to", archive)).isZero();

    assertThat(out.toString()).contains("canonical savepoint", archive.toString());
    MultiLayerNetwork network = ModelSerializer.restoreMultiLayerNetwork(archive.toFile(), true);
    assertThat(network.numParams()).isEqualTo(195);
    assertThat(network.getIterationCount()).isPositive();
    assertThat(files()).containsExactlyInAnyOrder("savepoint", "model.zip");
  }

  @Test
  void anothersFileBesideAnArchiveIsNoDescription() throws IOException {
    export();
    Files.writeString(directory.resolve("model.json"), "{\"labels\": [\"a\", \"b\"]}");

    assertThat(execute("inspect", archive)).isZero();
  }

  @Test
  void anyFileSystemOfFlinksWillDo() {
    String elsewhere = ElsewhereFileSystem.SCHEME + "://" + savepoint;

    assertThat(execute("export", "--from", elsewhere, "--to", archive)).isZero();
    assertThat(execute("diff", "file://" + savepoint, archive)).isZero();
    assertThat(execute("inspect", "nowhere://" + savepoint)).isEqualTo(1);
    assertThat(err.toString()).contains("nowhere://" + savepoint, "Flink has no file system here");
  }

  /** Of the savepoint, and of an archive whatever its name ends with. */
  @Test
  void parametersAloneAreExportedByName() throws IOException {
    Path tensors = directory.resolve("model.safetensors");
    Path again = directory.resolve("again.safetensors");
    Path renamed = directory.resolve("model.pt");
    export();
    Files.move(archive, renamed);

    assertThat(execute("export", "--from", savepoint, "--to", tensors, "--format", "safetensors"))
        .isZero();
    assertThat(execute("export", "--from", renamed, "--to", again, "--format", "SAFETENSORS"))
        .isZero();

    byte[] bytes = Files.readAllBytes(tensors);
    assertThat(Files.readAllBytes(again)).isEqualTo(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = Math.toIntExact(buffer.getLong());
    JsonNode header = JsonMapper.builder().build().readTree(bytes, Long.BYTES, length);
    assertThat(header.at("/layer0.W/shape/0").asInt()).isEqualTo(128);
    assertThat(header.at("/layer0.b/shape/0").asInt()).isEqualTo(16);
    assertThat(header.at("/layer1.b/data_offsets/1").asInt()).isEqualTo(195 * Float.BYTES);
    assertThat(header.at("/__metadata__/standardization").asText()).contains("\"clip\":10.0");
    MultiLayerNetwork network = ModelSerializer.restoreMultiLayerNetwork(renamed.toFile(), false);
    for (int i = 0; i < 195; i++) {
      assertThat(buffer.getFloat(Long.BYTES + length + i * Float.BYTES))
          .isEqualTo(network.params().getFloat(i));
    }
  }

  @Test
  void aModelOfDl4jHasNoTorchScript() throws IOException {
    assertFails(
        "the model is of the engine dl4j",
        archive,
        "export",
        "--from",
        savepoint,
        "--to",
        archive,
        "--format",
        "torchscript");

    assertThat(files()).containsExactly("savepoint");
  }

  /** On the class path of jobs, which has nothing that writes ONNX. */
  @ParameterizedTest
  @ValueSource(strings = {"onnx", "triton", "mlflow"})
  void whatWritesOnnxIsNamedWhereItIsMissing(String format) throws IOException {
    assertFails(
        "opt/onnx",
        "bin/millrace",
        "export",
        "--from",
        savepoint,
        "--to",
        archive,
        "--format",
        format);

    assertThat(files()).containsExactly("savepoint");
  }

  @Test
  void aFileThatIsThereStaysUnlessForced() throws IOException {
    Files.writeString(archive, "mine");

    assertThat(execute("export", "--from", savepoint, "--to", archive)).isEqualTo(1);
    assertThat(err.toString()).contains(archive.toString(), "there already");
    assertThat(archive).hasContent("mine");

    assertThat(execute("export", "--from", savepoint, "--to", archive, "--force")).isZero();
    assertThat(Files.size(archive)).isGreaterThan(1000);
  }

  @Test
  void whereNoMovingAverageWasKeptNoneIsExported() throws IOException {
    assertFails(
        "no moving average",
        savepoint,
        "export",
        "--from",
        savepoint,
        "--to",
        archive,
        "--average");

    assertThat(files()).containsExactly("savepoint");
  }

  @Test
  void whatCannotBeReadOrWrittenIsNamedAndNothingIsWritten() throws IOException {
    Path absent = directory.resolve("absent");
    Path cut = Files.createDirectory(directory.resolve("cut"));
    byte[] whole = Files.readAllBytes(savepoint.resolve("_metadata"));
    Files.write(cut.resolve("_metadata"), Arrays.copyOf(whole, whole.length / 2));
    Path text = Files.createDirectory(directory.resolve("text"));
    Files.writeString(text.resolve("_metadata"), "not a savepoint");
    Path empty = Files.createDirectory(directory.resolve("empty"));

    assertFails("There is no savepoint", absent, "export", "--from", absent, "--to", archive);
    assertFails("ends early", cut, "export", "--from", cut, "--to", archive);
    assertFails("it is no savepoint of Flink's", text, "export", "--from", text, "--to", archive);
    assertFails("neither", empty, "export", "--from", empty, "--to", archive);
    assertFails("no directory", absent, "export", "--from", savepoint, "--to", absent + "/m.zip");
    assertFails("is a directory", empty, "export", "--from", savepoint, "--to", empty);
    assertFails("no savepoint", absent, "inspect", absent);
    assertFails("no such file", absent, "inspect", absent + ".zip");
    assertFails("no such file", absent, "inspect", absent + ".json");

    assertThat(files()).containsExactlyInAnyOrder("savepoint", "cut", "text", "empty");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aDirectoryWithoutRightsIsNamed() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    try {
      assumeThat(Files.isReadable(closed)).as("root may read all").isFalse();
      assertFails("this user may not", closed, "export", "--from", closed, "--to", archive);
      assertFails(
          "may not be written", closed, "export", "--from", savepoint, "--to", closed + "/m.zip");
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aTruncatedArchiveIsNamed() throws IOException {
    export();
    assertFails("an archive already", archive, "export", "--from", archive, "--to", archive + "2");
    byte[] whole = Files.readAllBytes(archive);
    Files.write(archive, Arrays.copyOf(whole, whole.length - 100));

    assertFails("cut off", archive, "inspect", archive);
    assertFails("cut off", archive, "diff", savepoint, archive);
  }

  @Test
  void wrongUsageIsToldApart() {
    assertThat(execute("export", "--from", savepoint)).isEqualTo(2);
    assertThat(execute("inspect")).isEqualTo(2);
    assertThat(execute("diff", savepoint)).isEqualTo(2);
  }

  @Test
  void inspectTellsOfASavepointAndOfItsExportTheSame() throws IOException {
    JsonNode ofSavepoint = json("inspect", savepoint, "--json");
    export();
    JsonNode ofArchive = json("inspect", archive, "--json");

    assertThat(ofSavepoint.path("kind").asText()).isEqualTo("canonical savepoint");
    assertThat(ofSavepoint.path("parameters").asInt()).isEqualTo(195);
    assertThat(ofSavepoint.at("/ledger/0/learned/count").asInt()).isEqualTo(200);
    assertThat(ofSavepoint.at("/savepoint/operators").findValuesAsText("name"))
        .contains("examples", "replica", "coordinator", "exchange");
    assertThat(ofArchive.path("kind").asText()).isEqualTo("archive");
    for (String same :
        List.of(
            "version",
            "iteration",
            "network",
            "parameters",
            "updaterState",
            "shape",
            "layers",
            "standardizationCount",
            "standardizationClip",
            "ledger",
            "prequential")) {
      assertThat(ofArchive.path(same)).as(same).isEqualTo(ofSavepoint.path(same));
    }
  }

  @Test
  void inspectReadsToPeople() {
    assertThat(execute("inspect", savepoint)).isZero();
    assertThat(out.toString())
        .contains("kind           canonical savepoint")
        .containsPattern("parameters +195")
        .containsPattern("updater +Adam 0.001")
        .containsPattern("standardized +by 400 examples, clipped at 10 deviations")
        .containsPattern("layer0 +DenseLayer +144 +Adam")
        .containsPattern("savepoint-fixture-1 +\\S{22} +0 +200 +0 +199 +0")
        .containsPattern("coordinator +1 ");
  }

  @Test
  void anArchiveOfPlainDl4jIsInspected() throws IOException {
    ModelSerializer.writeModel(network(3), archive.toFile(), true);

    JsonNode told = json("inspect", archive, "--json");

    assertThat(told.path("parameters").asInt()).isEqualTo(4 * 3 + 3);
    assertThat(told.has("version")).isFalse();
    assertThat(execute("inspect", archive)).isZero();
    assertThat(out.toString()).contains("OutputLayer");
  }

  @Test
  void aModelDoesNotDifferFromItsExport() throws IOException {
    export();

    JsonNode diff = json("diff", savepoint, archive, "--json");

    assertThat(diff.at("/parameters/largest").asDouble()).isZero();
    assertThat(diff.at("/updaterState/largest").asDouble()).isZero();
    assertThat(diff.path("layers")).hasSize(2);
    for (JsonNode partition : diff.path("ledger")) {
      assertThat(partition.at("/onlyA/count").asInt()).isZero();
      assertThat(partition.at("/onlyB/count").asInt()).isZero();
    }
    assertThat(execute("diff", savepoint, archive)).isZero();
    assertThat(out.toString()).contains("The parameters are the same.");
  }

  @Test
  void modelsOfDifferentArchitecturesAreNotCompared() throws IOException {
    ModelSerializer.writeModel(network(3), archive.toFile(), true);

    assertThat(execute("diff", archive, savepoint)).isEqualTo(1);
    assertThat(err.toString())
        .contains("different architectures", "layers: 1 in the first, 2 in the second");
  }

  private static MultiLayerNetwork network(int outputs) {
    MultiLayerConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new OutputLayer.Builder().nIn(4).nOut(outputs).build())
            .build();
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    return network;
  }

  private void export() {
    assertThat(execute("export", "--from", savepoint, "--to", archive)).isZero();
  }

  private void assertFails(String cause, Object file, Object... arguments) {
    err.getBuffer().setLength(0);
    assertThat(execute(arguments)).isEqualTo(1);
    assertThat(err.toString())
        .contains(cause, file.toString())
        .doesNotContain("\tat ", "Exception");
  }

  private JsonNode json(Object... arguments) throws IOException {
    out.getBuffer().setLength(0);
    assertThat(execute(arguments)).as(err.toString()).isZero();
    return JsonMapper.builder().build().readTree(out.toString());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private int execute(Object... arguments) {
    return run.execute(arguments);
  }
}
