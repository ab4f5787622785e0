package dev.millrace.cli.cluster;

import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Names a local cluster by its work directory. */
final class ClusterPlace {

  /** Where bin/flink looks for a cluster, too. */
  private static final String USUAL = "millrace-work";

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      defaultValue = USUAL,
      description = "Holds every file that is written. Default: ./${DEFAULT-VALUE}.")
  private Path workDirectory;

  LocalCluster cluster() {
    return new LocalCluster(
        Installation.ofThisProcess(), new ClusterFiles(workDirectory.resolve("cluster")));
  }

  /** Returns the command that submits a job to the cluster, for a shell in this directory. */
  String submission(int replicas) {
    String flink =
        "%s run -d -p %s %s --config train.yaml"
            .formatted(
                quoted(Path.of(System.getProperty("millrace.scripts", "bin"), "flink")),
                replicas,
                quoted(Installation.ofThisProcess().jobJar()));
    return workDirectory.equals(Path.of(USUAL))
        ? flink
        : "FLINK_CONF_DIR=%s %s".formatted(quoted(cluster().files().conf()), flink);
  }

  /** Quotes what a shell would take for something else, such as two words. */
  private static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[\\w./-]+") ? text : "'%s'".formatted(text.replace("'", "'\\''"));
  }
}
