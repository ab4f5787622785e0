package dev.millrace.job.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Makes the configuration of a cluster's processes from the shipped one. */
final class ClusterConfiguration {

  private static final String LOOPBACK = "127.0.0.1";

  /** For TaskManagers that are added later. */
  private static final int SPARE_PORTS = 8;

  private ClusterConfiguration() {}

  /**
   * Writes everything into the cluster's {@code conf}.
   *
   * @param shipped the directory of Flink's configuration in the distribution
   */
  static Configuration write(ClusterPlan plan, Path shipped, ClusterFiles files)
      throws IOException {
    Configuration flink = make(plan, shipped, files);
    Files.write(files.config(), ConfigurationUtils.convertConfigToWritableLines(flink, false));
    Files.copy(
        shipped.resolve("log4j.properties"), files.log4j(), StandardCopyOption.REPLACE_EXISTING);
    Files.write(files.zooKeeperConfig(), zooKeeper(plan, files));
    return flink;
  }

  private static Configuration make(ClusterPlan plan, Path shipped, ClusterFiles files) {
    Configuration flink = GlobalConfiguration.loadConfiguration(shipped.toString());
    flink.set(JobManagerOptions.ADDRESS, LOOPBACK);
    flink.set(JobManagerOptions.BIND_HOST, LOOPBACK);
    flink.set(JobManagerOptions.PORT, plan.ports().rpc());
    flink.set(TaskManagerOptions.HOST, LOOPBACK);
    flink.set(TaskManagerOptions.BIND_HOST, LOOPBACK);
    flink.set(RestOptions.ADDRESS, LOOPBACK);
    flink.set(RestOptions.BIND_ADDRESS, LOOPBACK);
    flink.set(RestOptions.PORT, plan.ports().rest());
    flink.set(RestOptions.BIND_PORT, range(plan.ports().rest(), plan.jobManagers()));
    flink.set(BlobServerOptions.PORT, "0");
    flink.setString(
        "metrics.reporter.prom.port",
        range(plan.ports().metrics(), plan.jobManagers() + plan.taskManagers() + SPARE_PORTS));
    flink.set(CoreOptions.TMP_DIRS, files.temporary().toString());
    flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, files.uri("checkpoints"));
    flink.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, files.uri("savepoints"));
    new Memory(plan.modelValues(), plan.slots(), plan.slots() * Math.max(1, plan.taskManagers()))
        .applyTo(flink);
    if (plan.highlyAvailable()) {
      addHighAvailability(flink, plan, files);
    }
    plan.overrides().forEach(flink::setString);
    return flink;
  }

  private static String range(int first, int count) {
    return count == 1 ? String.valueOf(first) : first + "-" + (first + count - 1);
  }

  private static void addHighAvailability(
      Configuration flink, ClusterPlan plan, ClusterFiles files) {
    flink.set(HighAvailabilityOptions.HA_MODE, "zookeeper");
    flink.set(
        HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM, LOOPBACK + ":" + plan.ports().zooKeeper());
    flink.set(HighAvailabilityOptions.HA_STORAGE_PATH, files.uri("ha"));
    flink.set(HighAvailabilityOptions.HA_CLUSTER_ID, "/millrace");
    flink.set(HighAvailabilityOptions.HA_JOB_MANAGER_PORT_RANGE, "0");
  }

  private static List<String> zooKeeper(ClusterPlan plan, ClusterFiles files) {
    return List.of(
        // A session lives two of these at least.
        "tickTime=1000",
        "initLimit=10",
        "syncLimit=5",
        "dataDir=" + files.zooKeeper(),
        "clientPort=" + plan.ports().zooKeeper(),
        "clientPortAddress=" + LOOPBACK,
        "admin.enableServer=false",
        // Of one server only the address counts.
        "server.1=%s:2888:3888".formatted(LOOPBACK));
  }
}
