package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From a savepoint to files that ONNX Runtime reads, with the shipped script. */
class OnnxExportIT {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Path SAVEPOINT =
      Path.of("../../../flink-job/src/test/resources/dev/millrace/job/it/savepoint-1.base64");

  @Test
  void theShippedCommandWritesASavepointsModel() throws Exception {
    Path directory = Files.createDirectories(Distribution.workDirectory("onnx"));
    Path savepoint = Files.createDirectories(directory.resolve("savepoint"));
    Files.write(
        savepoint.resolve("_metadata"),
        Base64.getMimeDecoder().decode(Files.readString(SAVEPOINT)));
    Path file = directory.resolve("model.onnx");

    assertThat(export(savepoint, file, "--format", "onnx", "--force"))
        .contains("The model is in " + file, "ONNX Runtime predicts with it as its engine does");
    assertThat(export(savepoint, directory.resolve("models"), "--format=triton"))
        .contains("of the model is in " + directory.resolve("models"));
    assertThat(export(savepoint, directory.resolve("mlflow"), "--format", "mlflow"))
        .contains("The model for MLflow is in " + directory.resolve("mlflow"));
    assertThat(directory.resolve("mlflow").resolve("MLmodel")).exists();

    Map<String, String> facts = facts(file);
    assertThat(facts).containsKeys("millrace.version", "millrace.description");
    assertThat(Long.parseLong(facts.get("millrace.records.learned"))).isPositive();
    assertThat(facts.get("millrace.records.rejected")).isEqualTo("0");
  }

  /** Each model that is published, one that waits for the command or comes late included. */
  @Test
  void aModelRepositoryFollowsWhatIsPublished() throws Exception {
    Path directory = Files.createDirectories(Distribution.workDirectory("onnx-follow"));
    Path models = directory.resolve("models");
    Path repository = directory.resolve("repository/flowers");
    Path late = directory.resolve("late");
    Path output = directory.resolve("output");
    ServeIT.publish(models, new ModelVersion(0, 5));
    ServeIT.publish(late, new ModelVersion(0, 9));
    Process following =
        start(models, repository, "--format", "triton", "--follow")
            .redirectOutput(output.toFile())
            .start();
    try {
      await().atMost(LIMIT).until(() -> Files.exists(repository.resolve("1/model.onnx")));
      for (String file : new String[] {"model-0.9.zip", "latest.json"}) {
        Files.copy(late.resolve(file), models.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      await().atMost(LIMIT).until(() -> Files.readString(output).contains("model-0.9.json"));
      Files.copy(late.resolve("model-0.9.json"), models.resolve("model-0.9.json"));
      await().atMost(LIMIT).until(() -> Files.exists(repository.resolve("2/model.onnx")));
    } finally {
      following.destroy();
    }
    assertThat(following.waitFor(2, TimeUnit.MINUTES)).isTrue();

    assertThat(facts(repository.resolve("1/model.onnx"))).containsEntry("millrace.version", "0.5");
    assertThat(facts(repository.resolve("2/model.onnx"))).containsEntry("millrace.version", "0.9");
    assertThat(repository.resolve("config.pbtxt")).exists();
    assertThat(repository.resolve("3")).doesNotExist();
  }

  private static Map<String, String> facts(Path file) throws OrtException {
    try (OrtSession session = OrtEnvironment.getEnvironment().createSession(file.toString())) {
      return session.getMetadata().getCustomMetadata();
    }
  }

  private static String export(Path savepoint, Path to, String... options)
      throws IOException, InterruptedException {
    Process process = start(savepoint, to, options).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static ProcessBuilder start(Path from, Path to, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Distribution.script("millrace").toString(),
                "export",
                "--from",
                from.toString(),
                "--to",
                to.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("MILLRACE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return builder;
  }
}
