package dev.millrace.cli.cluster;

import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Names a local cluster by its work directory. */
final class ClusterPlace {

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = "millrace-work",
      description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  LocalCluster cluster() {
    return new LocalCluster(
        Installation.ofThisProcess(), new ClusterFiles(workDirectory.resolve("cluster")));
  }
}
