package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.FakeCheckout.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How an engine's libraries come into a checkout, with a stand-in for Maven. */
@DisabledOnOs(OS.WINDOWS)
class EngineScriptTest {

  @TempDir Path directory;

  private FakeCheckout checkout;
  private Path engines;

  @BeforeEach
  void checkout() throws IOException {
    checkout = new FakeCheckout(directory);
    engines = checkout.home().resolve("engines");
  }

  @Test
  void theFirstTimeMavenGetsThemAndTheSecondTimeTheyAreThere() throws Exception {
    checkout.maven(
        "mkdir -p '%1$s' && touch '%1$s/pytorch.jar'"
            .formatted(checkout.deploy().resolve("dist/torch/target/engine")));

    Answer first = engine("torch");

    assertThat(first.exitCode()).as(first.output()).isZero();
    assertThat(first.output()).contains("Getting the libraries of PyTorch");
    assertThat(engines.resolve("torch/pytorch.jar")).exists();
    assertThat(engines).isDirectoryNotContaining("glob:**/.torch*");

    checkout.maven("exit 1");
    assertThat(engine("torch")).isEqualTo(new Answer(0, ""));
  }

  @Test
  void onnxRuntimeHasItsPlaceAmongTheExtras() throws Exception {
    Path made = directory.resolve("model-state/onnx/target/opt");
    Files.createDirectories(made);
    Files.createFile(made.resolve("of-the-last-version.jar"));
    checkout.maven("mkdir -p '%1$s' && touch '%1$s/onnxruntime.jar'".formatted(made));

    Answer answer = engine("onnx");

    assertThat(answer.exitCode()).as(answer.output()).isZero();
    assertThat(answer.output()).contains("Getting the libraries of ONNX Runtime");
    assertThat(engines.resolveSibling("opt/onnx"))
        .isDirectoryContaining("glob:**/onnxruntime.jar")
        .isDirectoryNotContaining("glob:**/of-the-last-version.jar");
  }

  @Test
  void whatMavenCanNotGetLeavesNothing() throws Exception {
    checkout.maven(
        "mkdir -p '%s'; exit 1".formatted(checkout.deploy().resolve("dist/torch/target/engine")));

    Answer answer = engine("torch");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.output()).contains("can't be got; Maven's messages are above");
    assertThat(engines.resolve("torch")).doesNotExist();
  }

  @Test
  void anEngineThatNobodyKnowsIsRefused() throws Exception {
    assertThat(engine("torhc").output())
        .contains("no libraries to get for 'torhc'; there are those of torch and onnx");
  }

  @Test
  void aDistributionWithoutThemSaysWhereTheyAre() throws Exception {
    Path home = directory.resolve("home");
    FakeCheckout.copyScripts(home);
    Files.writeString(home.resolve("VERSION"), "1");
    Files.createDirectories(home.resolve("opt/flink"));

    Answer answer = checkout.run(Map.of(), home.resolve("bin/engine"), "torch");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.output())
        .contains("libraries of PyTorch", "unpack millrace-1-torch.tar.gz over " + home);
  }

  private Answer engine(String name) throws IOException, InterruptedException {
    return checkout.run(Map.of(), "engine", name);
  }
}
