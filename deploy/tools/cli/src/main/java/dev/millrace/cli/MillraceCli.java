package dev.millrace.cli;

import dev.millrace.cli.cluster.ClusterCommand;
import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.ExitCode;
import dev.millrace.cli.console.FailureLog;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.OptionTable;
import dev.millrace.cli.console.PlainConverters;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.demo.DemoCommand;
import dev.millrace.cli.forget.ForgetCommand;
import dev.millrace.cli.proposal.DescribeCommand;
import dev.millrace.cli.proposal.InitCommand;
import dev.millrace.cli.rebuild.RebuildCommand;
import dev.millrace.cli.run.JoinCommand;
import dev.millrace.cli.run.ScoreCommand;
import dev.millrace.cli.run.TrainCommand;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.submission.Failures;
import dev.millrace.model.io.InputErrors;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The command line. Exit codes: 0 done, 1 the run failed, 2 wrong usage or options, 130 Ctrl-C, 143
 * asked to terminate. Every failure is one message, without a stack trace.
 */
@Command(
    name = "millrace",
    header = "Keeps a neural network in training on a Kafka stream.",
    subcommands = {
      DemoCommand.class,
      TrainCommand.class,
      ScoreCommand.class,
      ServeCommand.class,
      JoinCommand.class,
      EvaluateCommand.class,
      CheckCommand.class,
      OptionsCommand.class,
      DescribeCommand.class,
      InitCommand.class,
      ProduceCommand.class,
      ExportCommand.class,
      InspectCommand.class,
      DiffCommand.class,
      AuditCommand.class,
      TimelineCommand.class,
      WatchCommand.class,
      RollbackCommand.class,
      RebuildCommand.class,
      ForgetCommand.class,
      ImportCommand.class,
      ClusterCommand.class,
      HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
public final class MillraceCli {

  private MillraceCli() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    run(commandLine(), arguments);
  }

  /** Runs a command with the exit codes and messages of this one, and ends the process. */
  public static void run(Object command, String[] arguments) {
    run(commandLine(command), arguments);
  }

  private static void run(CommandLine command, String[] arguments) {
    if (Screen.onTerminal()) {
      // Warnings take the place of the live line, which is shown again below them.
      System.setProperty("millrace.clear", Screen.CLEAR_LINE);
    }
    System.exit(command.execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine millrace = commandLine(new MillraceCli());
    millrace
        .getSubcommands()
        .get("train")
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> commonOptions());
    return millrace;
  }

  static CommandLine commandLine(Object command) {
    return PlainConverters.register(new CommandLine(command))
        .setExecutionStrategy(MillraceCli::execute)
        .setParameterExceptionHandler(MillraceCli::refused)
        .setExecutionExceptionHandler(MillraceCli::failed);
  }

  /** An error that a file has made is told as any other failure: picocli would let it through. */
  private static int execute(ParseResult arguments) {
    try {
      return new RunLast().execute(arguments);
    } catch (Error e) {
      String why = "What was read can't be used: " + InputErrors.reason(e);
      throw new ExecutionException(
          arguments.commandSpec().commandLine(), why, new RunFailedException(why, e));
    }
  }

  private static String commonOptions() {
    return "%nCommon options of the job ('millrace options' lists all):%n%s"
        .formatted(OptionTable.common());
  }

  private static int refused(ParameterException e, String[] arguments) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println(e.getMessage());
    err.printf("See '%s --help'.%n", e.getCommandLine().getCommandSpec().qualifiedName());
    return ExitCode.WRONG_USAGE;
  }

  private static int failed(Exception e, CommandLine command, ParseResult arguments) {
    PrintWriter err = command.getErr();
    if (e instanceof StopSignal.InterruptedRunException interrupted) {
      err.println(e.getMessage());
      return interrupted.exitCode();
    }
    err.println(Failures.explain(e));
    FileSystems.advice(e).ifPresent(err::println);
    if (e instanceof InvalidOptionsException) {
      err.printf("See '%s --help'.%n", command.getCommandSpec().qualifiedName());
      return ExitCode.WRONG_USAGE;
    }
    FailureLog.write(e);
    logFile().ifPresent(log -> err.println("The log is " + log));
    return ExitCode.FAILED;
  }

  private static Optional<Path> logFile() {
    return Optional.ofNullable(System.getProperty(WorkDirectory.LOG_PROPERTY))
        .map(Path::of)
        .filter(Files::exists);
  }
}
