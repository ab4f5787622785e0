package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.console.JobOptionWords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

class JobOptionWordsTest {

  @Command(preprocessor = JobOptionWords.class)
  private static final class Example {
    @Parameters(arity = "0..1")
    private String path;

    @Option(names = "--json")
    private boolean json;

    @Unmatched private final List<String> jobOptions = new ArrayList<>();
  }

  @Test
  void theValueOfAJobsOptionIsNoParameter() {
    Example command = parse("--kafka.bootstrap.servers", "h:9092", "models/", "--json");

    assertThat(command.path).isEqualTo("models/");
    assertThat(command.json).isTrue();
    assertThat(command.jobOptions).containsExactly("--kafka.bootstrap.servers=h:9092");
  }

  /** Its key has no dot. */
  @Test
  void thePresetIsAJobsOption() {
    Example command = parse("--preset", "streaming", "models/");

    assertThat(command.path).isEqualTo("models/");
    assertThat(command.jobOptions).containsExactly("--preset=streaming");
  }

  @Test
  void otherFormsAreLeftAsTheyAre() {
    Example command = parse("models/", "--batch.size=8", "--model.seed", "-5", "--input.topics");

    assertThat(command.path).isEqualTo("models/");
    assertThat(command.jobOptions)
        .containsExactly("--batch.size=8", "--model.seed=-5", "--input.topics");
  }

  @Test
  void everyCommandThatTakesJobOptionsJoinsThem() {
    assertThat(MillraceCli.commandLine().getSubcommands().values())
        .extracting(CommandLine::getCommandSpec)
        .filteredOn(command -> !command.unmatchedArgsBindings().isEmpty())
        .hasSizeGreaterThan(5)
        .allSatisfy(c -> assertThat(c.preprocessor()).isInstanceOf(JobOptionWords.class));
  }

  private static Example parse(String... words) {
    Example command = new Example();
    new CommandLine(command).parseArgs(words);
    return command;
  }
}
