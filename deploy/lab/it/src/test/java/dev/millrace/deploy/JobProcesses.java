package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.local.cluster.ManagedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.client.JobStatusMessage;

/** A job, its processes and its checkpoints, as Flink's REST API tells. */
final class JobProcesses {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JobProcesses() {}

  /** The TaskManager of the job's first source, and with it of what is chained to that. */
  static ManagedProcess taskManagerOf(TestCluster cluster, String job) throws Exception {
    JsonNode source = get(cluster, job, "").get("vertices").get(0);
    String subtask = "/vertices/%s/subtasks/0".formatted(source.get("id").asText());
    return cluster.process(get(cluster, job, subtask).get("taskmanager-id").asText());
  }

  /**
   * Waits until a job runs.
   *
   * @param program submits it; it mustn't end before
   * @return the job's id
   */
  static String awaitRunning(TestCluster cluster, String name, CompletableFuture<?> program)
      throws Exception {
    try (RestClusterClient<String> client =
        new RestClusterClient<>(cluster.cluster().configuration(), "program")) {
      return await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () -> {
                if (program.isDone()) {
                  throw new AssertionError("The program has ended: " + program.get());
                }
                return client.listJobs().get().stream()
                    .filter(job -> job.getJobName().equals(name))
                    .filter(job -> job.getJobState() == JobStatus.RUNNING)
                    .map(JobStatusMessage::getJobId)
                    .findFirst();
              },
              found -> found.isPresent())
          .orElseThrow()
          .toString();
    }
  }

  /** Waits for one more checkpoint; what Flink tells of it. */
  static JsonNode awaitCheckpoint(TestCluster cluster, String job) throws Exception {
    long before = completed(get(cluster, job, "/checkpoints"));
    return await()
        .atMost(Duration.ofMinutes(4))
        .until(() -> get(cluster, job, "/checkpoints"), told -> completed(told) > before)
        .get("latest")
        .get("completed");
  }

  private static long completed(JsonNode checkpoints) {
    return checkpoints.get("counts").get("completed").asLong();
  }

  /** What the REST API tells below a job's own path, such as {@code /checkpoints}. */
  static JsonNode get(TestCluster cluster, String job, String path) throws Exception {
    try (RestClusterClient<String> client =
        new RestClusterClient<>(cluster.cluster().configuration(), "test")) {
      return get(client.getWebInterfaceURL() + "/jobs/" + job + path);
    }
  }

  private static JsonNode get(String url) throws IOException {
    try (InputStream in = URI.create(url).toURL().openStream()) {
      return JSON.readTree(in);
    }
  }
}
