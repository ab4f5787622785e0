package dev.millrace.cli.cluster;

import dev.millrace.cli.console.RunFailedException;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the logs of a local cluster. */
@Command(
    name = "logs",
    header = "Shows the end of the cluster's logs, and where they are.",
    mixinStandardHelpOptions = true)
final class ClusterLogsCommand implements Runnable {

  @Mixin private ClusterPlace place;
  @Spec private CommandSpec command;

  @Parameters(
      paramLabel = "PROCESS",
      arity = "0..1",
      description = "One process, such as taskmanager-1; all without it.")
  private String process;

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "20",
      description = "Lines of each. Default: ${DEFAULT-VALUE}.")
  private int lines;

  @Override
  public void run() {
    LocalCluster cluster = place.cluster();
    PrintWriter out = command.commandLine().getOut();
    List<String> names = names(cluster);
    if (process != null && !names.contains(process)) {
      throw new ParameterException(
          command.commandLine(),
          "There is no process '%s'; there are %s".formatted(process, String.join(", ", names)));
    }
    for (String name : process == null ? names : List.of(process)) {
      out.println("==> " + cluster.files().log(name));
      out.println(cluster.tail(name, lines));
      out.println();
    }
  }

  private static List<String> names(LocalCluster cluster) {
    try {
      return cluster.processes().stream().map(ManagedProcess::name).toList();
    } catch (IOException e) {
      throw new RunFailedException("The cluster's files can't be read: " + Reason.of(e), e);
    }
  }
}
