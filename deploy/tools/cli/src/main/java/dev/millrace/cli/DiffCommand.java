package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.StoreWait;
import dev.millrace.cli.models.ModelDiff;
import dev.millrace.cli.models.StoredModel;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two models where they are kept. */
@Command(
    name = "diff",
    header = "Compares two models: how far their layers are apart, and what each has learned.",
    description = {
      "",
      "Each is anything that inspect takes. Models of different architectures aren't compared: the"
          + " command says what differs and exits with 1.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class DiffCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Parameters(index = "0", paramLabel = "A", description = "The first model.")
  private String first;

  @Parameters(index = "1", paramLabel = "B", description = "The other one.")
  private String second;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    FileSystems.initialize();
    ModelDiff diff;
    try (ReadingLine line = new ReadingLine(command.commandLine().getErr())) {
      diff = ModelDiff.between(opened(first), opened(second), line);
    }
    command.commandLine().getOut().println(json ? diff.toJson() : diff.toText());
    return 0;
  }

  private StoredModel opened(String path) throws IOException {
    return StoreWait.during(path, command.commandLine().getErr(), () -> StoredModel.open(path));
  }
}
