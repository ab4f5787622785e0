package dev.millrace.benchmark.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A training job of a benchmark, submitted as users do it, by {@code flink run}, and run to the end
 * of its topic.
 */
public final class TrainingRun {

  private static final Duration LIMIT = Duration.ofHours(2);
  private static final Duration SUBMISSION_LIMIT = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final String name;
  private final Map<String, String> options = new TreeMap<>();
  private final List<String> flags = new ArrayList<>();
  private int replicas = 2;

  /**
   * A run with the options that all have.
   *
   * @param name of its files; differs from that of every other run on this cluster
   */
  public TrainingRun(Cluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
    set("kafka.bootstrap.servers", cluster.bootstrapServers());
    set("kafka.group.id", name);
    set("input.bounded", "true");
    set("execution.checkpointing.interval", "5 s");
    set(
        "execution.checkpointing.dir",
        cluster.directory().resolve("checkpoints").toUri().toString());
    set("metrics.file", metricsFile().toString());
    set("metrics.interval", "100 ms");
  }

  public TrainingRun set(String option, String value) {
    options.put(option, value);
    return this;
  }

  public TrainingRun setAll(Map<String, String> more) {
    options.putAll(more);
    return this;
  }

  public TrainingRun replicas(int count) {
    replicas = count;
    return this;
  }

  /** A setting of Flink for this job. */
  public TrainingRun flink(String key, String value) {
    flags.add("-D" + key + "=" + value);
    return this;
  }

  /** Trains with the engine that learns nothing, and a model of so many values. */
  public TrainingRun still(int values) {
    flags.add("-C");
    flags.add(cluster.checkout().benchmarkJar().toUri().toString());
    return set("model.engine", "still")
        .set("model.name", "mlp")
        .set("model.hidden", Integer.toString(values));
  }

  /**
   * Runs it.
   *
   * @return what it has told of itself
   * @throws BenchmarkFailure if it fails
   */
  public TrainingRecords run() {
    submit(LIMIT);
    return TrainingRecords.read(metricsFile());
  }

  /** Starts it, and returns as soon as the cluster has it. */
  public RunningJob start() {
    flags.add("-d");
    String said = submit(SUBMISSION_LIMIT);
    return new RunningJob(cluster, said.substring(said.lastIndexOf(' ') + 1), metricsFile());
  }

  private String submit(Duration limit) {
    List<String> command = new ArrayList<>(List.of(cluster.checkout().flink(), "run"));
    command.addAll(flags);
    command.add("-p");
    command.add(Integer.toString(replicas));
    command.add(cluster.checkout().jobJar().toString());
    options.forEach((key, value) -> command.addAll(List.of("--" + key, value)));
    return cluster.client().run(name, limit, command);
  }

  private Path metricsFile() {
    return cluster.directory().resolve(name + ".jsonl");
  }
}
