package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MillraceCliTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "train",
        "score",
        "evaluate",
        "produce",
        "export",
        "inspect",
        "diff",
        "timeline",
        "rollback",
        "import",
        "cluster"
      })
  void everyCommandExplainsItself(String command) {
    assertThat(execute(command, "--help")).isZero();
    assertThat(out.toString()).contains("Usage: millrace " + command);
    assertThat(execute("help", command)).isZero();
  }

  @Test
  void helpListsTheCommands() {
    assertThat(execute("help")).isZero();
    assertThat(out.toString()).contains("demo", "train", "score", "evaluate", "produce", "help");
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    assertThat(execute("trian")).isEqualTo(2);
    assertThat(err.toString()).contains("trian").doesNotContain("\tat ");
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(execute()).isEqualTo(2);
  }

  @Test
  void everyWrongOptionIsNamedBeforeAnythingStarts() {
    int code = execute(inWorkDirectory("train", "--batch.sise", "3", "--model.momentum=2"));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .contains("2 options are wrong")
        .contains("batch.sise is not an option; did you mean batch.size?")
        .contains("model.momentum is '2'; it must be a number of at least 0 and below 1")
        .contains("'millrace train --help' tells more.")
        .doesNotContain("Exception", "\tat ");
  }

  @Test
  void whatScoringNeedsIsNamedBeforeAnythingStarts() {
    int code = execute(inWorkDirectory("score", "--kafka.bootstrap.servers", "localhost:9092"));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .contains("4 options are wrong")
        .contains("scoring.topics is missing", "scoring.output-topic is missing")
        .contains("'millrace score --help' tells more.")
        .doesNotContain("model.name", "Exception", "\tat ");
  }

  @Test
  void aWrongArgumentIsNamed() {
    assertThat(execute(inWorkDirectory("train", "--parallelism", "0"))).isEqualTo(2);
    assertThat(err.toString()).contains("--parallelism is '0'; it must be a whole number");
    assertThat(execute(inWorkDirectory("demo", "--parallelism", "two"))).isEqualTo(2);
    assertThat(err.toString()).contains("'two'").doesNotContain("\tat ");
  }

  @Test
  void aMissingConfigurationFileIsNamed() {
    assertThat(execute(inWorkDirectory("train", "--config", "absent.yaml"))).isEqualTo(2);
    assertThat(err.toString()).contains("absent.yaml", "there is no such file");
  }

  private String[] inWorkDirectory(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--work-dir", directory.toString()));
    return all.toArray(String[]::new);
  }

  private int execute(String... arguments) {
    CommandLine command = MillraceCli.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }
}
