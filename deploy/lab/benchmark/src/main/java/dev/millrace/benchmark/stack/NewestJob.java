package dev.millrace.benchmark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What Flink's REST interface tells of the job that was submitted last. */
public final class NewestJob {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Cluster cluster;
  private final String job;

  public NewestJob(Cluster cluster) {
    this.cluster = cluster;
    this.job =
        "/jobs/"
            + stream(get("/jobs/overview").get("jobs"))
                .max(Comparator.comparingLong(one -> one.get("start-time").asLong()))
                .orElseThrow(() -> new BenchmarkFailure("The cluster knows of no job"))
                .get("jid")
                .asText();
  }

  /**
   * Returns for how many milliseconds its replicas stood still for its checkpoints: one number for
   * each checkpoint that Flink still knows of, and each replica.
   */
  public List<Double> checkpointPauses() {
    String replicas = vertex("replica").get("id").asText();
    List<Double> pauses = new ArrayList<>();
    for (JsonNode checkpoint : get(job + "/checkpoints").get("history")) {
      if (checkpoint.get("status").asText().equals("COMPLETED")) {
        String detail = job + "/checkpoints/details/" + checkpoint.get("id") + "/subtasks/";
        for (JsonNode subtask : get(detail + replicas).get("subtasks")) {
          if (subtask.has("checkpoint")) {
            pauses.add(subtask.get("checkpoint").get("sync").asDouble());
          }
        }
      }
    }
    return pauses;
  }

  private JsonNode vertex(String name) {
    return stream(get(job).get("vertices"))
        .filter(vertex -> vertex.get("name").asText().contains(name))
        .findFirst()
        .orElseThrow(() -> new BenchmarkFailure("The job has no task named " + name));
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private JsonNode get(String path) {
    try (InputStream in = URI.create(cluster.rest() + path).toURL().openStream()) {
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
