package dev.millrace.cli.cluster;

import dev.millrace.cli.console.ExitCode;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows how a local cluster is. */
@Command(
    name = "status",
    header = "Shows the cluster's processes, slots and jobs; exits with 1 if one has died.",
    mixinStandardHelpOptions = true)
final class ClusterStatusCommand implements Callable<Integer> {

  @Mixin private ClusterPlace place;
  @Spec private CommandSpec command;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LocalCluster cluster = place.cluster();
    PrintWriter out = command.commandLine().getOut();
    List<ManagedProcess> processes = cluster.processes();
    if (processes.isEmpty()) {
      out.println("No cluster runs in " + cluster.files().root());
      return ExitCode.FAILED;
    }
    boolean whole = true;
    for (ManagedProcess process : processes) {
      boolean alive = process.isAlive();
      whole &= alive;
      out.println(
          "%-14s %-8s process %s"
              .formatted(process.name(), alive ? "runs" : "has died", process.pid()));
    }
    try (ClusterView view = ClusterView.of(cluster.configuration())) {
      Optional<ClusterView.Overview> overview = view.overview();
      if (overview.isEmpty()) {
        out.println("Flink doesn't answer; see `millrace cluster logs`");
        return ExitCode.FAILED;
      }
      out.println(
          "%-14s %s of %s are free"
              .formatted("slots", overview.get().freeSlots(), overview.get().slots()));
      view.jobs()
          .ifPresent(
              jobs ->
                  jobs.forEach(
                      job ->
                          out.println(
                              "%-14s %s %s, %s"
                                  .formatted(
                                      "job",
                                      job.getJobId(),
                                      job.getJobName(),
                                      job.getJobState()))));
      out.println("%-14s %s".formatted("web page", view.webPage()));
    }
    return whole ? 0 : ExitCode.FAILED;
  }
}
