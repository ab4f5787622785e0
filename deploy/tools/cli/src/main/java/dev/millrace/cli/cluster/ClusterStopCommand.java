package dev.millrace.cli.cluster;

import dev.millrace.cli.console.RunFailedException;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Stops a local cluster. */
@Command(
    name = "stop",
    header = "Stops all processes of the cluster. Logs, checkpoints and savepoints stay.",
    mixinStandardHelpOptions = true)
final class ClusterStopCommand implements Runnable {

  @Mixin private ClusterPlace place;
  @Spec private CommandSpec command;

  @Override
  public void run() {
    LocalCluster cluster = place.cluster();
    try {
      cluster.stop();
    } catch (IOException e) {
      throw new RunFailedException("The cluster can't be stopped: " + Reason.of(e), e);
    }
    command.commandLine().getOut().println("Stopped; files are still in " + cluster.files().root());
  }
}
