package dev.millrace.benchmark.figure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.ChildProcess;
import dev.millrace.benchmark.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Learns from memory, in a process of its own that says {@code {"examples": …, "seconds": …}} in
 * its last line.
 *
 * @param title as tables have it
 * @param directory with the workloads' files, and those of the process
 * @param command that the workload's directory and seconds are put behind
 * @param seconds to be measured
 */
record ProcessContender(String title, Path directory, List<String> command, int seconds)
    implements Contender {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** One thread a network, as Millrace's replicas have. */
  static final Map<String, String> ONE_THREAD = Map.of("OMP_NUM_THREADS", "1");

  @Override
  public double examplesPerSecond(Workload workload) {
    List<String> whole = new ArrayList<>(command);
    whole.add(directory.resolve(workload.name()).toString());
    whole.add(Integer.toString(seconds));
    String name = workload.name() + "-" + title.replaceAll("[^A-Za-z0-9]+", "-");
    JsonNode said =
        json(
            new ChildProcess(directory, ONE_THREAD)
                .run(name, Duration.ofSeconds(120 + 6L * seconds), whole));
    return said.get("examples").asDouble() / said.get("seconds").asDouble();
  }

  static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new BenchmarkFailure("A process ended with no result, but with: " + line);
    }
  }
}
