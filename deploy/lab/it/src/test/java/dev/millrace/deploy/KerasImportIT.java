package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.digits.Digits;
import dev.millrace.keras.testing.KerasModelFile;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a Keras file to a cluster that learns on, with the shipped script. */
@Tag("slow")
@ExtendWith(SharedCluster.class)
class KerasImportIT {

  private static final String ADAM =
      "{\"learning_rate\": 0.002, \"decay\": 0.0, \"beta_1\": 0.9, \"beta_2\": 0.999, \"epsilon\":"
          + " 1e-07}";

  @Test
  @DisabledOnOs(
      value = OS.MAC,
      architectures = "aarch64",
      disabledReason = "JavaCPP has no HDF5 for it")
  void aKerasModelLearnsOnWhereNobodyKnowsKeras(TestCluster cluster) throws Exception {
    Path directory = Files.createDirectories(cluster.directory().resolve("keras"));
    Path keras = directory.resolve("model.h5");
    Path archive = directory.resolve("model.zip");
    write(keras);

    String output =
        millrace(List.of("import", "--from", keras.toString(), "--to", archive.toString()), null);

    assertThat(output)
        .contains(
            "model.archive: " + archive,
            "input.features: 784",
            "input.outputs: 10",
            "input.target: classification")
        .doesNotContain("WARN", "HDF5-DIAG");
    TrainingRun run =
        new TrainingRun(
            cluster.flink(),
            Topic.of(cluster.bootstrapServers(), "keras", 2, new Digits(1000, 1)),
            directory,
            Map.of("model.name", "", "model.archive", archive.toString(), "batch.size", "8"));
    run.awaitEnd(run.submit(2));
    SnapshotDescription model = run.awaitWhole().description();
    assertThat(model.parent().source()).isEqualTo(archive.toString());
    // One in ten is a guess, give or take 0.01; halfway the digits turn.
    assertThat(model.prequential().accuracy()).isGreaterThan(0.15);
  }

  /** A stand-in for the JVM tells the class path that each command gets. */
  @Test
  void noOtherCommandHasTheImportOnItsClassPath() throws Exception {
    Path jdk = Files.createDirectories(Distribution.workDirectory("jdk").resolve("bin"));
    Path java = Files.writeString(jdk.resolve("java"), "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    assertThat(millrace(List.of("import"), jdk.getParent()))
        .contains("/opt/keras/*:", "/engines/dl4j/*:");
    // For the versions that it registers with MLflow.
    assertThat(millrace(List.of("train"), jdk.getParent()))
        .contains("/cli/*:", "/opt/onnx/*:")
        .doesNotContain("keras", "/opt/serve", "/engines/");
    for (String command : List.of("demo", "cluster", "export")) {
      assertThat(millrace(List.of(command), jdk.getParent()))
          .contains("/cli/*:")
          .doesNotContain("keras", "/opt/onnx", "/opt/serve", "/engines/");
    }
    assertThat(millrace(List.of("serve"), jdk.getParent()))
        .contains("/opt/serve/*:", "/opt/onnx/*:")
        .doesNotContain("keras", "/engines/");
  }

  private static void write(Path file) {
    Random random = new Random(5);
    float[][] kernel = new float[12 * 12 * 8][];
    for (int i = 0; i < kernel.length; i++) {
      kernel[i] = weights(10, 0.03f, random);
    }
    KerasModelFile.of(false, 28, 28, 1)
        .convolution("edges", "relu", 5, 1, weights(5 * 5 * 8, 0.2f, random), new float[8])
        .maxPooling("pool", 2)
        .flatten("flat")
        .dense("out", "softmax", kernel, new float[10])
        .compiled("\"sparse_categorical_crossentropy\"", "Adam", ADAM)
        .write(file);
  }

  private static float[] weights(int count, float scale, Random random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = scale * (float) random.nextGaussian();
    }
    return values;
  }

  /**
   * @param jdkOrNull another than the one that runs the tests
   */
  private static String millrace(List<String> arguments, Path jdkOrNull)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Distribution.script("millrace").toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("MILLRACE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    if (jdkOrNull != null) {
      builder.environment().put("JAVA_HOME", jdkOrNull.toString());
    }
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
