package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.testing.Broker;
import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.CoreOptions;

/** A cluster of real processes, on ports that were free, with a broker. */
final class TestCluster implements AutoCloseable {

  /** LeNet's parameters and Adam's two moments of each. */
  private static final long LENET_VALUES = 3 * 431_080;

  private final Path directory;
  private final LocalCluster cluster;
  private final LocalBroker brokerOrNull;

  private TestCluster(Path directory, LocalCluster cluster, LocalBroker brokerOrNull) {
    this.directory = directory;
    this.cluster = cluster;
    this.brokerOrNull = brokerOrNull;
  }

  static TestCluster start(String name, int taskManagers, boolean highlyAvailable)
      throws IOException, InterruptedException {
    return start(name, plan(taskManagers, highlyAvailable, Map.of()), Hosts.LOOPBACK);
  }

  /**
   * @param hosts that TaskManagers are on; the broker of all tests is on this machine's loopback,
   *     so elsewhere a cluster has its own
   */
  static TestCluster start(String name, ClusterPlan plan, Hosts hosts)
      throws IOException, InterruptedException {
    return start(name, Distribution.installation(), plan, hosts);
  }

  static TestCluster start(String name, Installation installation, ClusterPlan plan, Hosts hosts)
      throws IOException, InterruptedException {
    Path directory = Distribution.workDirectory(name);
    LocalCluster cluster =
        new LocalCluster(installation, new ClusterFiles(directory.resolve("cluster")), hosts);
    cluster.start(plan);
    try {
      LocalBroker own =
          hosts.equals(Hosts.LOOPBACK)
              ? null
              : LocalBroker.start(
                  Broker.classPath(), directory.resolve("broker"), hosts.main(), Map.of());
      return new TestCluster(directory, cluster, own);
    } catch (RuntimeException e) {
      cluster.stop();
      throw e;
    }
  }

  /** TaskManagers of one slot each. */
  static ClusterPlan plan(
      int taskManagers, boolean highlyAvailable, Map<String, String> flinkConfiguration) {
    return new ClusterPlan(
        taskManagers, 1, highlyAvailable, false, Ports.free(), LENET_VALUES, flinkConfiguration);
  }

  /** For processes that live a minute: the second compiler takes more of it than it gives back. */
  static Map<String, String> shortLived() {
    return Map.of(
        CoreOptions.FLINK_JVM_OPTIONS.key(),
        Distribution.shippedConfiguration().get(CoreOptions.FLINK_JVM_OPTIONS)
            + " -XX:TieredStopAtLevel=1");
  }

  LocalCluster cluster() {
    return cluster;
  }

  String bootstrapServers() {
    return brokerOrNull == null
        ? Broker.cluster().bootstrapServers()
        : brokerOrNull.bootstrapServers();
  }

  Path directory() {
    return directory;
  }

  Flink flink() {
    return new Flink(cluster.files().conf());
  }

  ManagedProcess process(String name) throws IOException {
    return cluster.processes().stream()
        .filter(process -> process.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Starts a killed process again: a JobManager is ready to lead then, a TaskManager has slots. */
  void startAgain(ManagedProcess killed) throws IOException {
    Path log = cluster.files().log(killed.name());
    long before = Files.size(log);
    String ready =
        killed.name().startsWith("jobmanager")
            ? "Rest endpoint listening"
            : "Successful registration at resource manager";
    cluster.startMissing();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.readString(log).substring((int) before).contains(ready));
  }

  @Override
  public void close() throws IOException {
    cluster.stop();
    if (brokerOrNull != null) {
      brokerOrNull.close();
    }
  }
}
