package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MillraceCliTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "train",
        "score",
        "serve",
        "join",
        "evaluate",
        "check",
        "options",
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
        .contains("See 'millrace train --help'.")
        .doesNotContain("Exception", "\tat ");
  }

  @Test
  void whatScoringNeedsIsNamedBeforeAnythingStarts() {
    int code = execute(inWorkDirectory("score", "--kafka.bootstrap.servers", "localhost:9092"));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .contains("4 options are wrong")
        .contains("scoring.topics is missing", "scoring.output-topic is missing")
        .contains("See 'millrace score --help'.")
        .doesNotContain("model.name", "Exception", "\tat ");
  }

  @Test
  void whatAJoinNeedsIsNamedBeforeAnythingStarts() {
    int code = execute(inWorkDirectory("join", "--kafka.bootstrap.servers", "localhost:9092"));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .contains("5 options are wrong")
        .contains("join.features.topics is missing", "join.labels.topics is missing")
        .contains("join.output.topic is missing", "join.within is missing")
        .contains("kafka.group.id is missing")
        .contains("See 'millrace join --help'.")
        .doesNotContain("model.name", "Exception", "\tat ");
  }

  @Test
  void aWrongArgumentIsNamed() {
    assertThat(execute(inWorkDirectory("train", "--parallelism", "0"))).isEqualTo(2);
    assertThat(err.toString()).contains("--parallelism is '0'; it must be a whole number");
    assertThat(execute(inWorkDirectory("demo", "--parallelism", "two"))).isEqualTo(2);
    assertThat(err.toString()).contains("'two'").doesNotContain("\tat ");
  }

  /** The nearest of all is an argument of the command, and no option of the job. */
  @ParameterizedTest
  @ValueSource(strings = {"train", "score", "join", "demo"})
  void aMisspeltArgumentSuggestsTheArgument(String command) {
    assertThat(execute(inWorkDirectory(command, "--paralellism", "4"))).isEqualTo(2);
    assertThat(err.toString())
        .contains("paralellism is not an option; did you mean --parallelism?");
  }

  @Test
  void theHelpOfTrainListsTheCommonOptions() {
    execute("train", "--help");

    assertThat(MillraceOptions.settings().filter(Setting::isCommon))
        .allSatisfy(setting -> assertThat(out.toString()).contains("--" + setting.key()));
    assertThat(out.toString()).doesNotContain("exchange.codec.threshold");
  }

  @Test
  void optionsListsThoseAboutAWordCommonOnesFirst() {
    assertThat(execute("options", "Checkpoint")).isZero();
    assertThat(out.toString())
        .startsWith("  execution.checkpointing.interval")
        .contains("0 or a duration of at least 10 ms", "kafka.group.id")
        .doesNotContain("batch.size");

    assertThat(execute("options", "zebra")).isEqualTo(1);
    assertThat(err.toString()).contains("No option contains 'zebra'");
  }

  @Test
  void optionsListsAll() {
    assertThat(execute("options")).isZero();
    assertThat(MillraceOptions.settings())
        .allSatisfy(setting -> assertThat(out.toString()).contains("  " + setting.key()));
  }

  /** Nobody listens at that port. */
  @Test
  void checkFindsWhatASubmissionWould() throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("train.yaml"),
            """
            kafka.bootstrap.servers: 127.0.0.1:1
            input: {topics: examples, features: 4, outputs: 3}
            model.name: mlp
            input.csv.label: first
            """);

    assertThat(execute("check", "--config", config.toString())).isEqualTo(3);
    assertThat(out.toString())
        .contains("trains", "Model:", "4 features", "not all was checked")
        .doesNotContain("OK");
    assertThat(err.toString())
        .contains(
            "Warning: input.csv.label has no effect",
            "Not checked: No Kafka broker can be reached",
            "Topics aren't checked");

    String nowhere = directory.resolve("no-savepoint").toString();
    assertThat(execute("check", "--config", config.toString(), "--from", nowhere)).isEqualTo(3);
    assertThat(err.toString())
        .contains("Not checked: There is no savepoint or checkpoint at " + nowhere);

    assertThat(execute("check", "--config", config.toString(), "--allowNonRestoredState"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--allowNonRestoredState has no effect without --from");

    assertThat(execute("check", "--config", config.toString(), "--model.image", "2;2;1"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("model.image has no effect here");
  }

  @Test
  void checkGoesThroughAllSteps() throws IOException {
    Path noArchive = Files.writeString(directory.resolve("model.zip"), "none");
    String[] job = {
      "check",
      "--kafka.bootstrap.servers=127.0.0.1:1",
      "--input.topics=examples",
      "--input.features=4",
      "--input.outputs=3",
      "--model.archive=" + noArchive,
    };
    assertThat(execute(job)).isEqualTo(1);
    assertThat(err.toString()).contains("model.zip").doesNotContain("OK", "\tat ");

    List<String> both = new ArrayList<>(List.of(job));
    both.add("--evaluation.holdout=csv:absent.csv");
    assertThat(execute(both.toArray(String[]::new))).isEqualTo(2);
    assertThat(err.toString()).contains("model.zip", "absent.csv");
  }

  @Test
  void checkKnowsAJobThatOnlyScores() {
    assertThat(
            execute(
                "check",
                "--kafka.bootstrap.servers=127.0.0.1:1",
                "--input.features=4",
                "--input.outputs=3",
                "--scoring.topics=s",
                "--scoring.output-topic=p",
                "--scoring.models=/models"))
        .isEqualTo(3);
    assertThat(out.toString()).contains("only scores", "not all was checked");
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
    return run.execute((Object[]) arguments);
  }
}
