package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.local.cluster.ManagedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.apache.flink.client.program.rest.RestClusterClient;

/** Which processes a job runs in, as Flink's REST API tells. */
final class JobProcesses {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JobProcesses() {}

  /** The TaskManager of the job's first source, and with it of what is chained to that. */
  static ManagedProcess taskManagerOf(TestCluster cluster, String job) throws Exception {
    try (RestClusterClient<String> client =
        new RestClusterClient<>(cluster.cluster().configuration(), "taskmanager")) {
      String url = client.getWebInterfaceURL() + "/jobs/" + job;
      JsonNode source = get(url).get("vertices").get(0);
      String subtask = "%s/vertices/%s/subtasks/0".formatted(url, source.get("id").asText());
      return cluster.process(get(subtask).get("taskmanager-id").asText());
    }
  }

  private static JsonNode get(String url) throws IOException {
    try (InputStream in = URI.create(url).toURL().openStream()) {
      return JSON.readTree(in);
    }
  }
}
