package dev.millrace.chaos;

import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.NetworkNamespaces;
import dev.millrace.local.cluster.Ports;
import example.beside.Way;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * Real processes to train on, with what this user may have of networks and file systems; none is
 * left when it is closed.
 */
final class ChaosEnvironment implements Closeable {

  /** One more than a job needs. */
  private static final int TASK_MANAGERS = 3;

  /** So two TaskManagers have room for a job, and for those beside it. */
  private static final int SLOTS_WITH_JOBS_BESIDE = 3;

  /** The values of a network 784-64-10 and Adam's two moments; generous. */
  private static final long MODEL_VALUES = 500_000;

  private final Deque<Closeable> toClose = new ArrayDeque<>();
  private NetworkNamespaces network;
  private LocalCluster cluster;
  private LocalBroker broker;
  private CheckpointPlace checkpoints;
  private JobControl jobs;

  private ChaosEnvironment() {}

  /**
   * Starts everything, below a directory.
   *
   * @param beside whether there is to be room for {@link JobsBeside}
   */
  static ChaosEnvironment prepare(Path directory, boolean beside)
      throws IOException, InterruptedException {
    Installation installation = Installation.ofThisProcess();
    if (beside) {
      installation =
          new Installation(
              installation.home(),
              Programs.ofThisProcess().withTables(installation.flinkClassPath()));
    }
    ChaosEnvironment ground = new ChaosEnvironment();
    try {
      ground.start(
          installation,
          Files.createDirectories(directory.toAbsolutePath()),
          beside ? SLOTS_WITH_JOBS_BESIDE : 1,
          beside ? 1 + Way.values().length : 1);
      return ground;
    } catch (IOException | InterruptedException | RuntimeException e) {
      ground.close();
      throw e;
    }
  }

  private void start(Installation installation, Path directory, int slots, int jobsAtOnce)
      throws IOException, InterruptedException {
    if (NetworkNamespaces.arePossible()) {
      network = closing(new NetworkNamespaces(TASK_MANAGERS));
    }
    Hosts hosts = network == null ? Hosts.LOOPBACK : network;
    checkpoints = closing(CheckpointPlace.make(directory, jobsAtOnce));
    broker =
        LocalBroker.start(
            installation.brokerClassPath(), directory.resolve("broker"), hosts.main(), Map.of());
    toClose.push(broker::close);
    cluster = new LocalCluster(installation, new ClusterFiles(directory.resolve("cluster")), hosts);
    toClose.push(cluster::stop);
    cluster.start(
        new ClusterPlan(TASK_MANAGERS, slots, true, false, Ports.free(), MODEL_VALUES, Map.of()));
    jobs = new JobControl(cluster, installation, "file://" + directory.resolve("savepoints"));
  }

  private <T extends Closeable> T closing(T resource) {
    toClose.push(resource);
    return resource;
  }

  LocalBroker broker() {
    return broker;
  }

  CheckpointPlace checkpoints() {
    return checkpoints;
  }

  JobControl jobs() {
    return jobs;
  }

  FaultTarget stage(Path config) {
    return new FaultTarget(cluster, broker, network, checkpoints, jobs, config);
  }

  @Override
  public void close() throws IOException {
    while (!toClose.isEmpty()) {
      toClose.pop().close();
    }
  }
}
