package dev.millrace.local.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.runtime.client.JobStatusMessage;

/** A running cluster as its REST interface tells it, found by ZooKeeper where it has one. */
public final class ClusterView implements AutoCloseable {

  private static final long SECONDS = 5;

  /** The answer comes when the checkpoint is complete. */
  private static final long TRIGGER_MILLIS = 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** How many checkpoints a job has made since it or its JobManager was started last. */
  public record Checkpoints(long completed, long failed) {}

  /** How many TaskManagers and slots a cluster has, and how many of the slots are free. */
  public record Overview(int taskManagers, int slots, int freeSlots) {}

  private final RestClusterClient<String> client;

  private ClusterView(RestClusterClient<String> client) {
    this.client = client;
  }

  /**
   * Makes a client, which connects when it is asked.
   *
   * @param flink configuration of the cluster, or of a client of it
   */
  public static ClusterView of(Configuration flink) {
    Configuration impatient = new Configuration(flink);
    impatient.set(RestOptions.RETRY_MAX_ATTEMPTS, 1);
    try {
      return new ClusterView(new RestClusterClient<>(impatient, "cluster"));
    } catch (Exception e) {
      throw new ClusterException("The cluster's client can't be made: " + e.getMessage(), e);
    }
  }

  /** Nothing where the cluster doesn't answer. */
  public Optional<Overview> overview() throws InterruptedException {
    try {
      var answer = client.getClusterOverview().get(SECONDS, TimeUnit.SECONDS);
      return Optional.of(
          new Overview(
              answer.getNumTaskManagersConnected(),
              answer.getNumSlotsTotal(),
              answer.getNumSlotsAvailable()));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  /** Running jobs and those that the cluster still remembers; nothing where it doesn't answer. */
  public Optional<Collection<JobStatusMessage>> jobs() throws InterruptedException {
    try {
      return Optional.of(client.listJobs().get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  /**
   * TaskManagers that run subtasks of a job now; nothing where the cluster doesn't answer, or the
   * job isn't running.
   */
  public Set<String> taskManagersOf(String job) {
    Set<String> found = new TreeSet<>();
    try {
      String url = "%s/jobs/%s".formatted(webPage(), job);
      for (JsonNode vertex : get(url).get("vertices")) {
        String subtasks = "%s/vertices/%s".formatted(url, vertex.get("id").asText());
        for (JsonNode subtask : get(subtasks).get("subtasks")) {
          if (subtask.get("status").asText().equals("RUNNING")) {
            found.add(subtask.get("taskmanager-id").asText());
          }
        }
      }
      return found;
    } catch (IOException | RuntimeException e) {
      return Set.of();
    }
  }

  /** Nothing where the cluster doesn't answer. */
  public Optional<Checkpoints> checkpoints(String job) {
    try {
      JsonNode counts = get("%s/jobs/%s/checkpoints".formatted(webPage(), job)).get("counts");
      return Optional.of(
          new Checkpoints(counts.get("completed").asLong(), counts.get("failed").asLong()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static JsonNode get(String url) throws IOException {
    URLConnection connection = URI.create(url).toURL().openConnection();
    connection.setConnectTimeout((int) TimeUnit.SECONDS.toMillis(SECONDS));
    connection.setReadTimeout((int) TimeUnit.SECONDS.toMillis(SECONDS));
    try (InputStream in = connection.getInputStream()) {
      return JSON.readTree(in);
    }
  }

  /** Has a job make a checkpoint soon; without effect where the cluster doesn't answer. */
  public void beginCheckpoint(String job) throws InterruptedException {
    try {
      client
          .triggerCheckpoint(JobID.fromHexString(job), CheckpointType.DEFAULT)
          .get(TRIGGER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // It has begun, or the job isn't there to make one.
    }
  }

  public String webPage() {
    return client.getWebInterfaceURL();
  }

  @Override
  public void close() {
    client.close();
  }
}
