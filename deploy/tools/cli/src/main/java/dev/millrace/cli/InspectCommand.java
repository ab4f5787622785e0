package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.StoreWait;
import dev.millrace.cli.console.TrustedKeyArguments;
import dev.millrace.cli.models.Inspection;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.cli.rows.TableSummary;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a savepoint, checkpoint or archive says about its model. */
@Command(
    name = "inspect",
    header = "Describes the model in a savepoint, a checkpoint or an archive.",
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class InspectCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Parameters(
      paramLabel = "PATH",
      description =
          "A savepoint or checkpoint, an archive of Millrace's, DL4J's or PyTorch's, a snapshot's"
              + " description, or a directory of snapshots, here or on any of Flink's file systems"
              + " (s3://…).")
  private String path;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean json;

  @Mixin private TrustedKeyArguments trusted;

  @Override
  public Integer call() throws Exception {
    FileSystems.initialize();
    PrintWriter err = command.commandLine().getErr();
    Inspection told;
    try (ReadingLine line = new ReadingLine(err)) {
      told =
          StoreWait.during(
              path,
              err,
              () -> {
                StoredModel model = StoredModel.open(path, trusted.keys());
                return model.inspect().with(TableSummary.of(model.tables(), line));
              });
    }
    command.commandLine().getOut().println(json ? told.toJson() : told.toText());
    return 0;
  }
}
