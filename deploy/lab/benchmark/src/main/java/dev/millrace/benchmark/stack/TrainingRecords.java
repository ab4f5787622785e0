package dev.millrace.benchmark.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a job wrote into its metrics file. */
public final class TrainingRecords {

  static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The share of the examples that warms up: the compiler is at work, for 20 seconds with a job's
   * classes, which each submission loads anew.
   */
  private static final double WARM_UP = 0.5;

  /**
   * The share of the examples behind which nothing is measured: a replica may have come to the end
   * of its partitions before others.
   */
  private static final double END = 0.95;

  private final List<JsonNode> records;

  private TrainingRecords(List<JsonNode> records) {
    this.records = records;
  }

  /** Reads the records of a metrics file. */
  public static TrainingRecords read(Path file) {
    return of(file, Text.read(file));
  }

  /** Reads the whole records of a metrics file that is being written. */
  static TrainingRecords readSoFar(Path file) {
    String text = Text.read(file);
    return of(file, text.substring(0, text.lastIndexOf('\n') + 1));
  }

  private static TrainingRecords of(Path file, String text) {
    List<JsonNode> records = new ArrayList<>();
    for (String line : text.lines().toList()) {
      try {
        records.add(JSON.readTree(line));
      } catch (JsonProcessingException e) {
        throw new BenchmarkFailure(file + " has a line that is no JSON: " + line);
      }
    }
    return new TrainingRecords(records);
  }

  /** Returns the records of one type. */
  public List<JsonNode> of(String type) {
    return records.stream().filter(record -> record.get("type").asText().equals(type)).toList();
  }

  /** Examples learned from a second, after the warm-up. */
  public double examplesPerSecond() {
    return rate("examples");
  }

  /** Rounds made a second, after the warm-up. */
  public double roundsPerSecond() {
    return rate("round");
  }

  /** Rounds made in all. */
  public long rounds() {
    List<JsonNode> progress = of("progress");
    return progress.get(progress.size() - 1).get("round").asLong();
  }

  private double rate(String what) {
    List<JsonNode> progress = of("progress");
    long all = progress.get(progress.size() - 1).get("examples").asLong();
    List<JsonNode> measured =
        progress.stream()
            .filter(record -> record.get("examples").asLong() >= WARM_UP * all)
            .filter(record -> record.get("examples").asLong() <= END * all)
            .toList();
    if (measured.size() < 10) {
      throw new BenchmarkFailure(
          "The job was too short to be measured: %s records of its progress after the warm-up"
              .formatted(measured.size()));
    }
    JsonNode first = measured.get(0);
    JsonNode last = measured.get(measured.size() - 1);
    double seconds = (last.get("time").asLong() - first.get("time").asLong()) / 1e3;
    return (last.get(what).asLong() - first.get(what).asLong()) / seconds;
  }
}
