package dev.millrace.cli.cluster;

import dev.millrace.cli.console.CliVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A Flink cluster of real processes, to try on what production does. */
@Command(
    name = "cluster",
    header = "Starts, shows and stops a Flink cluster of real processes on this machine.",
    footer = {
      "",
      "All processes run until `millrace cluster stop`. They listen on 127.0.0.1 only, but the ports of",
      "Flink's metrics reporter listen on all addresses. deploy/bin/flink is Flink's own command line:",
      "  millrace cluster start --taskmanagers 2 --broker",
      "  deploy/bin/flink run -d -p 2 JOB_JAR --config train.yaml",
      ""
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      ClusterStartCommand.class,
      ClusterStatusCommand.class,
      ClusterLogsCommand.class,
      ClusterStopCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = CliVersion.class)
public final class ClusterCommand implements Runnable {

  @Spec private CommandSpec command;

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "Say what to do: start, status, logs or stop");
  }
}
