package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.progress.MetricsLine;
import dev.millrace.cli.progress.MetricsLine.Progress;
import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.local.cluster.ClusterView;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.GlobalConfiguration;
import org.awaitility.core.ConditionFactory;

/**
 * A job that learns a topic from its first record to its last, over as many submissions as it
 * takes.
 */
final class TrainingRun {

  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final Flink flink;
  private final Topic topic;
  private final Path directory;
  private final Path config;
  private final MetricsTail metrics;
  private final List<Progress> progress = new ArrayList<>();

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
    this.metrics = new MetricsTail(metrics());
  }

  private Path models() {
    return directory.resolve("models");
  }

  Path metrics() {
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

  /** All that the job has told so far. */
  private List<Progress> progress() {
    try {
      for (MetricsLine line : metrics.next()) {
        if (line instanceof Progress told) {
          progress.add(told);
        }
      }
      return progress;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records that the model has now. */
  long examples() {
    return latest(Progress::examples, 0);
  }

  /** How often the job has been restored; -1 before its first round. */
  long generation() {
    return latest(Progress::generation, -1);
  }

  /** Of the newest generation, from its first round on; told of rounds at intervals. */
  double secondsARound() {
    List<Progress> newest =
        progress().stream().filter(told -> told.generation() == generation()).toList();
    Progress first = newest.get(0);
    Progress last = newest.get(newest.size() - 1);
    return (last.time() - first.time()) / 1000.0 / (last.round() - first.round());
  }

  private long latest(ToLongFunction<Progress> value, long before) {
    List<Progress> all = progress();
    return all.isEmpty() ? before : value.applyAsLong(all.get(all.size() - 1));
  }

  /** Waits until that many examples are in the model. */
  void awaitExamples(long count) {
    waiting().until(() -> examples() >= count);
  }

  /** Waits until the model has learned on after a failure; how long that took since. */
  Duration awaitGenerationAfter(long generation, long sinceMillis) {
    Progress first =
        waiting()
            .until(
                () -> progress().stream().filter(p -> p.generation() > generation).findFirst(),
                Optional::isPresent)
            .orElseThrow();
    return Duration.ofMillis(first.time() - sinceMillis);
  }

  /** Waits for the end of a job. */
  void awaitEnd(String job) {
    try (ClusterView cluster =
        ClusterView.of(GlobalConfiguration.loadConfiguration(flink.conf().toString()))) {
      waiting()
          .until(
              () ->
                  cluster.jobs().stream()
                      .flatMap(Collection::stream)
                      .anyMatch(
                          told ->
                              told.getJobId().toHexString().equals(job)
                                  && told.getJobState() == JobStatus.FINISHED));
    }
  }

  /** Waits until the last model has every record of the topic, each exactly once. */
  LatestSnapshot awaitWhole() {
    return awaitWhole(topic.count());
  }

  /** As the other, where the topic has got more records since. */
  LatestSnapshot awaitWhole(long count) {
    waiting()
        .untilAsserted(
            () ->
                assertThat(LatestSnapshot.find(models()))
                    .hasValueSatisfying(
                        model ->
                            assertThat(model.description().prequential().examples())
                                .isEqualTo(count)));
    LatestSnapshot last = newestModel();
    Map<Integer, Long> learned = LedgerCheck.requirePrefix(last.description(), topic.name());
    assertThat(learned).hasSize(topic.partitions());
    assertThat(learned.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(count);
    return last;
  }

  LatestSnapshot newestModel() {
    try {
      return LatestSnapshot.find(models()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** No failure has taken a version back. */
  void requireVersionsGrew() {
    assertThat(progress())
        .isSortedAccordingTo(
            Comparator.comparingLong(Progress::generation).thenComparingLong(Progress::round));
  }

  private static ConditionFactory waiting() {
    return await().pollInSameThread().atMost(LIMIT).pollInterval(Duration.ofMillis(100));
  }
}
