package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How an engine's libraries come into a checkout, with a stand-in for Maven. */
@DisabledOnOs(OS.WINDOWS)
class EngineScriptTest {

  private static final Path SCRIPTS = Path.of("..", "..", "bin");

  @TempDir Path directory;

  private Path deploy;
  private Path engines;

  private record Answer(int exitCode, String output) {}

  @BeforeEach
  void checkout() throws IOException {
    deploy = directory.resolve("deploy");
    copyScripts(deploy);
    Path dist = deploy.resolve("dist");
    Files.createDirectories(dist);
    Files.createFile(dist.resolve("pom.xml"));
    Files.createDirectories(dist.resolve("target/millrace-1/opt/flink"));
    Files.createDirectories(dist.resolve("target/filled-in"));
    Files.writeString(dist.resolve("target/filled-in/VERSION"), "1");
    engines = dist.resolve("target/millrace-1/engines");
  }

  @Test
  void theFirstTimeMavenGetsThemAndTheSecondTimeTheyAreThere() throws Exception {
    maven(
        "mkdir -p '%1$s' && touch '%1$s/pytorch.jar'"
            .formatted(deploy.resolve("dist/torch/target/engine")));

    Answer first = engine("torch");

    assertThat(first.exitCode()).as(first.output()).isZero();
    assertThat(first.output()).contains("Getting the libraries of PyTorch");
    assertThat(engines.resolve("torch/pytorch.jar")).exists();
    assertThat(engines).isDirectoryNotContaining("glob:**/.torch*");

    maven("exit 1");
    assertThat(engine("torch")).isEqualTo(new Answer(0, ""));
  }

  @Test
  void onnxRuntimeHasItsPlaceAmongTheExtras() throws Exception {
    Path made = directory.resolve("model-state/onnx/target/opt");
    Files.createDirectories(made);
    Files.createFile(made.resolve("of-the-last-version.jar"));
    maven("mkdir -p '%1$s' && touch '%1$s/onnxruntime.jar'".formatted(made));

    Answer answer = engine("onnx");

    assertThat(answer.exitCode()).as(answer.output()).isZero();
    assertThat(answer.output()).contains("Getting the libraries of ONNX Runtime");
    assertThat(engines.resolveSibling("opt/onnx"))
        .isDirectoryContaining("glob:**/onnxruntime.jar")
        .isDirectoryNotContaining("glob:**/of-the-last-version.jar");
  }

  @Test
  void whatMavenCanNotGetLeavesNothing() throws Exception {
    maven("mkdir -p '%s'; exit 1".formatted(deploy.resolve("dist/torch/target/engine")));

    Answer answer = engine("torch");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.output()).contains("can't be got; Maven's messages are above");
    assertThat(engines.resolve("torch")).doesNotExist();
  }

  @Test
  void anEngineThatNobodyKnowsIsRefused() throws Exception {
    maven("exit 1");

    assertThat(engine("torhc").output())
        .contains("no libraries to get for 'torhc'; there are those of torch and onnx");
  }

  @Test
  void aDistributionWithoutThemSaysWhereTheyAre() throws Exception {
    Path home = directory.resolve("home");
    copyScripts(home);
    Files.writeString(home.resolve("VERSION"), "1");
    Files.createDirectories(home.resolve("opt/flink"));
    maven("exit 1");

    Answer answer = run(home.resolve("bin/engine"), "torch");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.output())
        .contains("libraries of PyTorch", "unpack millrace-1-torch.tar.gz over " + home);
  }

  private static void copyScripts(Path home) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    for (String script : new String[] {"engine", "common.sh"}) {
      Files.copy(SCRIPTS.resolve(script), bin.resolve(script));
      assertThat(bin.resolve(script).toFile().setExecutable(true)).isTrue();
    }
  }

  private void maven(String body) throws IOException {
    Path bin = Files.createDirectories(directory.resolve("path"));
    Path mvn = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n" + body + "\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
  }

  private Answer engine(String name) throws IOException, InterruptedException {
    return run(deploy.resolve("bin/engine"), name);
  }

  private Answer run(Path script, String name) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), name).redirectErrorStream(true);
    builder
        .environment()
        .merge(
            "PATH",
            directory.resolve("path").toString(),
            (path, own) -> own + File.pathSeparator + path);
    builder.environment().remove("MILLRACE_ENGINES");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), output);
  }
}
