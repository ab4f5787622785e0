package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.snapshot.LatestSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.core.ConditionFactory;

/**
 * A job that learns a topic from its first record to its last, over as many submissions as it
 * takes.
 */
final class TrainingRun {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** One metric record of how far training has come. */
  record Progress(long generation, long round, long examples, long time) {

    boolean isAfter(Progress other) {
      return generation > other.generation
          || (generation == other.generation && round >= other.round);
    }
  }

  private final Flink flink;
  private final Topic topic;
  private final Path directory;
  private final Path config;

  /**
   * @param more options that add to what every run has, or replace it, or take it away if empty
   */
  TrainingRun(Flink flink, Topic topic, Path directory, Map<String, String> more)
      throws IOException {
    this.flink = flink;
    this.topic = topic;
    this.directory = Files.createDirectories(directory);
    this.config = directory.resolve("train.yaml");
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", topic.bootstrapServers());
    options.put("input.topics", topic.name());
    options.put("input.format", "uint8");
    options.put("input.features", "784");
    options.put("input.outputs", "10");
    options.put("input.bounded", "true");
    options.put("model.name", "lenet");
    options.put("execution.checkpointing.interval", "2 s");
    options.put("execution.checkpointing.dir", "file://" + directory.resolve("checkpoints"));
    options.put("snapshot.directory", models().toString());
    // The last one only.
    options.put("snapshot.interval", "0 s");
    options.put("metrics.file", metrics().toString());
    options.put("metrics.interval", "100 ms");
    options.putAll(more);
    options.values().removeIf(String::isEmpty);
    List<String> lines =
        options.entrySet().stream()
            .map(option -> "%s: \"%s\"".formatted(option.getKey(), option.getValue()))
            .toList();
    Files.write(config, lines);
  }

  private Path models() {
    return directory.resolve("models");
  }

  private Path metrics() {
    return directory.resolve("metrics.jsonl");
  }

  Path config() {
    return config;
  }

  String savepoints() {
    return "file://" + directory.resolve("savepoints");
  }

  /** Submits the job from its beginning; its id. */
  String submit(int replicas) throws IOException, InterruptedException {
    return submit(Distribution.jobJar(), replicas, List.of());
  }

  String submit(Path jar, int replicas, List<String> flinkOptions)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("run", "-d", "-p", String.valueOf(replicas)));
    command.addAll(flinkOptions);
    command.addAll(List.of(jar.toString(), "--config", config.toString()));
    return flink.run(command).job();
  }

  /** Stops the job as users do; where its savepoint is. */
  String stop(String job) throws IOException, InterruptedException {
    return flink.run("stop", "-p", savepoints(), job).savepoint();
  }

  List<Progress> progress() {
    if (!Files.exists(metrics())) {
      return List.of();
    }
    try {
      List<Progress> all = new ArrayList<>();
      for (String line : Files.readAllLines(metrics())) {
        if (line.startsWith("{") && line.endsWith("}")) {
          JsonNode record = JSON.readTree(line);
          if (record.get("type").asText().equals("progress")) {
            all.add(
                new Progress(
                    record.get("generation").asLong(),
                    record.get("round").asLong(),
                    record.get("examples").asLong(),
                    record.get("time").asLong()));
          }
        }
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Progress latest() {
    List<Progress> all = progress();
    return all.isEmpty() ? new Progress(-1, 0, 0, 0) : all.get(all.size() - 1);
  }

  /** Waits until that many examples are in the model. */
  void awaitExamples(long count) {
    waiting().until(() -> latest().examples() >= count);
  }

  /** Waits until the model has learned on after a failure; how long that took since. */
  Duration awaitGenerationAfter(long generation, long sinceMillis) {
    waiting().until(() -> latest().generation() > generation);
    Progress first =
        progress().stream().filter(p -> p.generation() > generation).findFirst().orElseThrow();
    return Duration.ofMillis(first.time() - sinceMillis);
  }

  /** Waits for the end of a job. */
  void awaitEnd(String job) {
    waiting()
        .until(
            () -> {
              String jobs = flink.run("list", "-a").output();
              return jobs.lines().anyMatch(l -> l.contains(job) && l.endsWith("(FINISHED)"));
            });
  }

  /** Waits until the last model has every record of the topic, each exactly once. */
  LatestSnapshot awaitWhole() {
    waiting()
        .untilAsserted(
            () ->
                assertThat(LatestSnapshot.find(models()))
                    .hasValueSatisfying(
                        model ->
                            assertThat(model.description().prequential().examples())
                                .isEqualTo(topic.count())));
    LatestSnapshot last = newestModel();
    requireEveryRecordOnce(last);
    return last;
  }

  LatestSnapshot newestModel() {
    try {
      return LatestSnapshot.find(models()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireEveryRecordOnce(LatestSnapshot model) {
    var ledger = model.description().ledger();
    assertThat(ledger).hasSize(topic.partitions());
    long learned = 0;
    for (var partition : ledger) {
      long count = partition.learned().count();
      assertThat(partition.learned().first()).isZero();
      assertThat(partition.learned().last()).isEqualTo(count - 1);
      assertThat(partition.learned().sum()).isEqualTo(count * (count - 1) / 2);
      learned += count;
    }
    assertThat(learned).isEqualTo(topic.count());
  }

  /** No failure has taken a version back. */
  void requireVersionsGrew() {
    Progress before = null;
    for (Progress next : progress()) {
      if (before != null) {
        assertThat(next.isAfter(before)).as("%s after %s", next, before).isTrue();
      }
      before = next;
    }
  }

  private static ConditionFactory waiting() {
    return await().atMost(LIMIT).pollInterval(Duration.ofMillis(250));
  }
}
