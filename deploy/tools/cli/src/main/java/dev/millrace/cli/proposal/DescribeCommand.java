package dev.millrace.cli.proposal;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at records, and proposes how their fields are described. */
@Command(
    name = "describe",
    header = "Looks at a topic or a file, and proposes a file of options for its fields.",
    description = {
      "",
      "What comes out is YAML for --config, with types, ranges and missing values of the sample as"
          + " comments. Edit it, the label first:",
      "  millrace describe --data flows.csv --output train.yaml",
      "  millrace describe --topic orders --kafka.bootstrap.servers localhost:9092",
      "Records of a schema registry need its address: --input.registry.url http://registry:8081.",
      "docs/guides/data.md says what each field can become.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:a job can have the proposal",
      "1:the proposal has to be edited: nothing can be learned of its label",
      "2:there is no proposal, or options are wrong"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class DescribeCommand extends ProposingCommand {

  @ArgGroup(multiplicity = "1")
  private Subject subject;

  /** What is looked at. */
  private static final class Subject {

    @Option(
        names = "--topic",
        paramLabel = "T",
        required = true,
        description = "Its newest records.")
    private String topic;

    @Option(
        names = "--data",
        paramLabel = "FILE",
        required = true,
        description =
            "A table, or JSON in a file that is called .json or .jsonl: objects, or an array of"
                + " them; may be gzipped.")
    private String data;
  }

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Receives the proposal. Default: it is shown.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    Proposed proposed =
        subject.topic == null ? ofFile(subject.data) : ofTopic(subject.topic, output);
    if (output == null) {
      command().commandLine().getOut().print(proposed.text());
      command().commandLine().getOut().flush();
    } else {
      write(proposed, output);
    }
    return tell(proposed);
  }
}
