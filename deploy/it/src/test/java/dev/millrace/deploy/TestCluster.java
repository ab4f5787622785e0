package dev.millrace.deploy;

import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A cluster of real processes and a broker, on ports that were free. */
final class TestCluster implements AutoCloseable {

  /** LeNet's parameters and Adam's two moments of each. */
  private static final long LENET_VALUES = 3 * 431_080;

  private final Path directory;
  private final LocalCluster cluster;
  private final LocalBroker broker;

  private TestCluster(Path directory, LocalCluster cluster, LocalBroker broker) {
    this.directory = directory;
    this.cluster = cluster;
    this.broker = broker;
  }

  static TestCluster start(String name, int taskManagers, boolean highlyAvailable)
      throws IOException, InterruptedException {
    return start(name, plan(taskManagers, highlyAvailable, Map.of()), Hosts.LOOPBACK);
  }

  /**
   * @param hosts that TaskManagers are on
   */
  static TestCluster start(String name, ClusterPlan plan, Hosts hosts)
      throws IOException, InterruptedException {
    Path directory = Distribution.workDirectory(name);
    LocalCluster cluster =
        new LocalCluster(
            Distribution.installation(), new ClusterFiles(directory.resolve("cluster")), hosts);
    cluster.start(plan);
    try {
      LocalBroker broker =
          LocalBroker.start(
              Distribution.brokerClassPath(), directory.resolve("broker"), hosts.main(), Map.of());
      return new TestCluster(directory, cluster, broker);
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

  LocalCluster cluster() {
    return cluster;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
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

  @Override
  public void close() throws IOException {
    broker.close();
    cluster.stop();
  }
}
