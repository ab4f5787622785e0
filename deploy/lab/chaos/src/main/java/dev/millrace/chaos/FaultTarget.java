package dev.millrace.chaos;

import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.local.cluster.ClusterView.Checkpoints;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.local.cluster.ManagedProcess;
import dev.millrace.local.cluster.NetworkNamespaces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What faults act on: a job, and the processes and places that it needs.
 *
 * <p>Not thread-safe.
 */
final class FaultTarget {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 50;

  private final LocalCluster cluster;
  private final LocalBroker broker;
  private final NetworkNamespaces network;
  private final CheckpointPlace checkpoints;
  private final JobControl jobs;
  private final Path config;
  private String job;
  private int replicas;

  /**
   * @param networkOrNull null where links can't be cut
   * @param config options of the job
   */
  FaultTarget(
      LocalCluster cluster,
      LocalBroker broker,
      NetworkNamespaces networkOrNull,
      CheckpointPlace checkpoints,
      JobControl jobs,
      Path config) {
    this.cluster = cluster;
    this.broker = broker;
    this.network = networkOrNull;
    this.checkpoints = checkpoints;
    this.jobs = jobs;
    this.config = config;
  }

  /** Faults that can be caused here. */
  EnumSet<FaultKind> possible() {
    EnumSet<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    if (network == null) {
      kinds.remove(FaultKind.CUT_LINK);
    }
    if (!checkpoints.canBeFull()) {
      kinds.remove(FaultKind.CHECKPOINTS_FULL);
    }
    return kinds;
  }

  LocalBroker broker() {
    return broker;
  }

  NetworkNamespaces network() {
    return network;
  }

  CheckpointPlace checkpoints() {
    return checkpoints;
  }

  int replicas() {
    return replicas;
  }

  void submit(int newReplicas, String savepointOrNull) throws IOException, InterruptedException {
    replicas = newReplicas;
    job = jobs.submit(config, newReplicas, savepointOrNull);
  }

  /** Stops the job with a savepoint, and returns where that is. */
  String stop() throws IOException, InterruptedException {
    return jobs.stop(job);
  }

  void savepoint() throws IOException, InterruptedException {
    jobs.savepoint(job);
  }

  void beginCheckpoint() throws InterruptedException {
    try (ClusterView view = view()) {
      view.beginCheckpoint(job);
    }
  }

  /** Returns how many checkpoints of the job have failed so far. */
  long failedCheckpoints() throws InterruptedException {
    return awaitCheckpoints("The cluster reported no checkpoints", any -> true).failed();
  }

  /**
   * Waits for a checkpoint that fails.
   *
   * @param before how many had failed
   * @throws ChaosException if none does
   */
  void awaitFailedCheckpoint(long before) throws InterruptedException {
    awaitCheckpoints("No checkpoint failed", counts -> counts.failed() > before);
  }

  /**
   * Waits until the job has made one more checkpoint.
   *
   * @throws ChaosException if it makes none
   */
  void awaitCheckpoint() throws InterruptedException {
    long before = awaitCheckpoints("The cluster reported no checkpoints", any -> true).completed();
    awaitCheckpoints("No checkpoint was made", counts -> counts.completed() > before);
  }

  private Checkpoints awaitCheckpoints(String unless, Predicate<Checkpoints> wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (ClusterView view = view()) {
      while (System.nanoTime() < deadline) {
        Optional<Checkpoints> found = view.checkpoints(job).filter(wanted);
        if (found.isPresent()) {
          return found.get();
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
    throw new ChaosException("%s within %s s".formatted(unless, LIMIT.toSeconds()));
  }

  /** A TaskManager that the job runs in. */
  ManagedProcess host(int victim) throws IOException, InterruptedException {
    List<ManagedProcess> hosts = taskManagers(true);
    return hosts.get(victim % hosts.size());
  }

  /** TaskManagers that the job isn't in. */
  List<ManagedProcess> spares() throws IOException, InterruptedException {
    return taskManagers(false);
  }

  private List<ManagedProcess> taskManagers(boolean wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      Set<String> hosts;
      try (ClusterView view = view()) {
        hosts = view.taskManagersOf(job);
      }
      List<ManagedProcess> found = new ArrayList<>();
      if (!hosts.isEmpty()) {
        for (ManagedProcess process : cluster.processes()) {
          if (process.name().startsWith("taskmanager")
              && process.isAlive()
              && hosts.contains(process.name()) == wanted) {
            found.add(process);
          }
        }
        if (!found.isEmpty() || !wanted) {
          return found;
        }
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    throw new ChaosException("The job doesn't run in any TaskManager");
  }

  /** Starts what has died. */
  void repair() throws IOException {
    cluster.startMissing();
  }

  LocalCluster cluster() {
    return cluster;
  }

  private ClusterView view() {
    return ClusterView.of(cluster.configuration());
  }
}
