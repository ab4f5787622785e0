package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How long each part of a recovery took, in milliseconds.
 *
 * @param noticed until Flink restarts the job; with another JobManager, until that has the job
 * @param deployed until the last task is at its machine, with the classes that it needs
 * @param restored until the last task has its state
 * @param trained until the first round after
 */
record RecoveryPhases(long noticed, long deployed, long restored, long trained) {

  /**
   * As Flink's REST API tells of a job that trains again.
   *
   * @param down how long no round was made
   */
  static RecoveryPhases of(TestCluster cluster, String job, long killedMillis, Duration down)
      throws Exception {
    JsonNode told = JobProcesses.get(cluster, job, "");
    JsonNode times = told.get("timestamps");
    long noticed = Math.max(times.get("RESTARTING").asLong(), times.get("CREATED").asLong());
    long initializing = 0;
    long running = 0;
    for (JsonNode vertex : told.get("vertices")) {
      String path = "/vertices/" + vertex.get("id").asText();
      for (JsonNode subtask : JobProcesses.get(cluster, job, path).get("subtasks")) {
        JsonNode lasted = subtask.get("status-duration");
        long here = subtask.get("start-time").asLong() + millis(lasted, "DEPLOYING");
        initializing = Math.max(initializing, here);
        running = Math.max(running, here + millis(lasted, "INITIALIZING"));
      }
    }
    return new RecoveryPhases(
        noticed - killedMillis,
        initializing - noticed,
        running - initializing,
        killedMillis + down.toMillis() - running);
  }

  private static long millis(JsonNode lasted, String state) {
    return Math.max(0, lasted.path(state).asLong());
  }

  Duration all() {
    return Duration.ofMillis(noticed + deployed + restored + trained);
  }

  /** The one in the middle of an odd number, by the time that all took. */
  static RecoveryPhases median(List<RecoveryPhases> measured) {
    RecoveryPhases[] sorted = measured.toArray(RecoveryPhases[]::new);
    Arrays.sort(sorted, (one, other) -> one.all().compareTo(other.all()));
    return sorted[sorted.length / 2];
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f s: noticed %.1f, deployed %.1f, restored %.1f, first round %.1f",
        all().toMillis() / 1000.0,
        noticed / 1000.0,
        deployed / 1000.0,
        restored / 1000.0,
        trained / 1000.0);
  }
}
