package dev.millrace.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.flink.client.cli.ArtifactFetchOptions;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;

/** Makes the configuration of a cluster's processes from the shipped one. */
final class ClusterConfiguration {

  /** Ports for TaskManagers that are added later. */
  private static final int SPARE_PORTS = 8;

  private ClusterConfiguration() {}

  /**
   * Writes everything into the cluster's {@code conf}.
   *
   * @param shipped the directory of Flink's configuration in the distribution
   * @param host address that JobManagers and ZooKeeper listen on
   */
  static Configuration write(ClusterPlan plan, Path shipped, ClusterFiles files, String host)
      throws IOException {
    Configuration flink = make(plan, shipped, files, host);
    // Keys of object stores are in it, where they were given with -D.
    OwnerOnly.write(files.config(), ConfigurationUtils.convertConfigToWritableLines(flink, false));
    Files.copy(
        shipped.resolve("log4j.properties"), files.log4j(), StandardCopyOption.REPLACE_EXISTING);
    Files.write(files.zooKeeperConfig(), zooKeeper(plan, files, host));
    return flink;
  }

  private static Configuration make(
      ClusterPlan plan, Path shipped, ClusterFiles files, String host) {
    Configuration flink = GlobalConfiguration.loadConfiguration(shipped.toString());
    flink.set(JobManagerOptions.ADDRESS, host);
    flink.set(JobManagerOptions.BIND_HOST, host);
    flink.set(JobManagerOptions.PORT, plan.ports().rpc());
    flink.set(RestOptions.ADDRESS, host);
    flink.set(RestOptions.BIND_ADDRESS, host);
    flink.set(RestOptions.PORT, plan.ports().rest());
    flink.set(RestOptions.BIND_PORT, range(plan.ports().rest(), plan.jobManagers()));
    flink.set(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN, "http://" + host + ":" + plan.ports().rest());
    flink.set(BlobServerOptions.PORT, "0");
    flink.setString(
        "metrics.reporter.prom.port",
        range(plan.ports().metrics(), plan.jobManagers() + plan.taskManagers() + SPARE_PORTS));
    // Flink's default is a directory that only root can make. All other temporary files lie where
    // each process is told when it starts.
    flink.set(ArtifactFetchOptions.BASE_DIR, files.temporary().resolve("artifacts").toString());
    flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, files.uri("checkpoints"));
    flink.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, files.uri("savepoints"));
    new Memory(plan.modelValues(), plan.slots(), plan.slots() * Math.max(1, plan.taskManagers()))
        .applyTo(flink);
    if (plan.highlyAvailable()) {
      addHighAvailability(flink, plan, files, host);
    }
    plan.overrides().forEach(flink::setString);
    return flink;
  }

  private static String range(int first, int count) {
    return count == 1 ? String.valueOf(first) : first + "-" + (first + count - 1);
  }

  private static void addHighAvailability(
      Configuration flink, ClusterPlan plan, ClusterFiles files, String host) {
    flink.set(HighAvailabilityOptions.HA_MODE, "zookeeper");
    flink.set(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM, host + ":" + plan.ports().zooKeeper());
    flink.set(HighAvailabilityOptions.HA_STORAGE_PATH, ClusterFiles.uri(files.recovery()));
    flink.set(HighAvailabilityOptions.HA_CLUSTER_ID, "/millrace");
    flink.set(HighAvailabilityOptions.HA_JOB_MANAGER_PORT_RANGE, "0");
  }

  private static List<String> zooKeeper(ClusterPlan plan, ClusterFiles files, String host) {
    return List.of(
        // A session lives two of these at least, and ends at one.
        "tickTime=500",
        "initLimit=10",
        "syncLimit=5",
        "dataDir=" + files.zooKeeper(),
        "clientPort=" + plan.ports().zooKeeper(),
        "clientPortAddress=" + host,
        "admin.enableServer=false",
        // Of one server only the address counts.
        "server.1=%s:2888:3888".formatted(host));
  }
}
