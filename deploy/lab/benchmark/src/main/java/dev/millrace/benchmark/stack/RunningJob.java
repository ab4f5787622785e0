package dev.millrace.benchmark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.local.cluster.ManagedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A training job that goes on while something is done to its cluster. */
public final class RunningJob {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 50;

  private final Cluster cluster;
  private final String id;
  private final Path metrics;

  RunningJob(Cluster cluster, String id, Path metrics) {
    this.cluster = cluster;
    this.id = id;
    this.metrics = metrics;
  }

  /** Returns how far it has come, from its first round on. */
  public List<Progress> progress() {
    if (!Files.exists(metrics)) {
      return List.of();
    }
    return TrainingRecords.readSoFar(metrics).of("progress").stream()
        .map(
            one ->
                new Progress(
                    one.get("time").asLong(),
                    one.get("generation").asLong(),
                    one.get("examples").asLong()))
        .toList();
  }

  /** Waits for its first examples. */
  public void awaitStart() throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (progress().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new BenchmarkFailure("The job has learned nothing within " + LIMIT);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Kills a TaskManager that it trains in, as a power cut would, and starts it again, as whoever
   * watches over processes does.
   *
   * @return when it was killed, in milliseconds: it takes a while to find out where the job trains
   */
  public long killTaskManager(Random random) throws IOException, InterruptedException {
    Set<String> hosts = hosts();
    List<ManagedProcess> trained =
        cluster.processes().processes().stream()
            .filter(process -> hosts.contains(process.name()) && process.isAlive())
            .toList();
    return kill(trained.get(random.nextInt(trained.size())));
  }

  /**
   * Kills the JobManager that leads, and starts it again.
   *
   * @return when it was killed, in milliseconds
   */
  public long killJobManager() throws IOException {
    return kill(cluster.processes().leader());
  }

  private long kill(ManagedProcess process) throws IOException {
    long now = System.currentTimeMillis();
    process.kill();
    cluster.processes().startMissing();
    return now;
  }

  private Set<String> hosts() throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (ClusterView view = ClusterView.of(cluster.processes().configuration())) {
      while (System.nanoTime() < deadline) {
        Set<String> hosts = view.taskManagersOf(id);
        if (!hosts.isEmpty()) {
          return hosts;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
    throw new BenchmarkFailure("The job runs nowhere within " + LIMIT);
  }

  /**
   * Stops it with a savepoint, and compares that with its topics.
   *
   * @return the audit's result, as {@code millrace audit --json} tells it
   */
  public JsonNode stopAndAudit() {
    String savepoints = cluster.directory().resolve("savepoints").toUri().toString();
    String said =
        cluster
            .client()
            .run(
                id + "-stop",
                LIMIT,
                List.of(cluster.checkout().flink(), "stop", "-p", savepoints, id));
    String savepoint = said.substring(said.lastIndexOf(' ') + 1);
    Path result = cluster.directory().resolve(id + "-audit.out");
    cluster
        .client()
        .run(
            id + "-audit",
            LIMIT,
            List.of(
                cluster.checkout().millrace(),
                "audit",
                "--json",
                savepoint,
                "--kafka.bootstrap.servers",
                cluster.bootstrapServers()));
    try {
      return TrainingRecords.JSON.readTree(result.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
