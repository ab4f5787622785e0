package dev.millrace.cli.run;

import dev.millrace.cli.console.PositiveNumber;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.models.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every command that runs a job in this process. */
public final class RunArguments {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = "millrace-work",
      description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  @Option(
      names = "--summary",
      paramLabel = "FILE",
      description = "Receives the run's figures as one JSON object.")
  private Path summary;

  /**
   * Returns the names of what the command takes beside options of the job, such as {@code
   * --parallelism}.
   */
  public Collection<String> names() {
    return command.commandLine().getCommandSpec().optionsMap().keySet();
  }

  public Path workDirectory() {
    return workDirectory;
  }

  /** Writes the figures of the run, a bean, where a file for them is asked for. */
  public void write(Object figures) throws IOException {
    if (summary != null) {
      Files.writeString(summary, Json.write(figures) + "\n");
    }
  }

  public Screen screen() {
    PrintWriter out = command.commandLine().getOut();
    return Screen.of(out);
  }

  /**
   * Does nothing where the value is at least 1.
   *
   * @throws picocli.CommandLine.ParameterException naming the option and its value
   */
  public void requirePositive(String option, long value) {
    PositiveNumber.require(command, option, value);
  }
}
