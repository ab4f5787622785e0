package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TaskTime;
import dev.millrace.benchmark.stack.TrainingRecords;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Jobs that only exchange: a step of one example takes no time, and a round follows each. */
final class StillRun {

  /** Memory for models of up to 100 MB, in up to four replicas of a process. */
  static final Map<String, String> MEMORY =
      Map.of(
          "jobmanager.memory.process.size", "3gb",
          "taskmanager.memory.task.heap.size", "3gb",
          "taskmanager.memory.task.off-heap.size", "512mb",
          "taskmanager.memory.network.min", "256mb",
          "taskmanager.memory.network.max", "256mb");

  /** Bytes of model a second that a replica is expected to exchange, and rounds. */
  private static final double EXPECTED_MEGABYTES = 700;

  private static final double EXPECTED_ROUNDS = 1000;
  private static final int SECONDS = 12;

  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.CLASSIFICATION);

  private final Lab lab;
  private final Cluster cluster;
  private final WorkloadData data;
  private final Set<String> topics = new HashSet<>();
  private int runs;

  /** Processor time of the coordinator for a round, in the last run. */
  private double coordinatorSeconds;

  StillRun(Lab lab, Cluster cluster) throws IOException {
    this.lab = lab;
    this.cluster = cluster;
    this.data = WorkloadData.rows(SHAPE, 1_000);
  }

  /** A run that nobody counts: a cluster's first job loads and compiles what the others find. */
  void warmUp() throws IOException {
    roundsPerSecond(0.1, 2, Map.of());
  }

  /**
   * @param megabytes of the model
   * @param options beside the usual ones
   */
  double roundsPerSecond(double megabytes, int replicas, Map<String, String> options)
      throws IOException {
    // All replicas share the processors.
    double expected =
        Math.min(EXPECTED_MEGABYTES / megabytes, EXPECTED_ROUNDS) * Math.min(1, 2.0 / replicas);
    long rounds = Math.max(60, lab.scaled(Math.round(expected * SECONDS)));
    String topic = "rounds-%s-%s".formatted(rounds, replicas);
    if (topics.add(topic)) {
      data.produce(cluster.bootstrapServers(), topic, replicas, "float32", rounds * replicas);
    }
    TaskTime coordinator = new TaskTime(cluster, "coordinator");
    TrainingRecords told;
    try (coordinator) {
      told =
          new TrainingRun(cluster, "still-" + ++runs)
              .still((int) Math.round(megabytes * 1e6 / Float.BYTES))
              .replicas(replicas)
              .set("input.topics", topic)
              .set("input.format", "float32")
              .set("input.features", "1")
              .set("input.outputs", "2")
              .set("input.standardize", "off")
              .set("batch.size", "1")
              .set("exchange.local-steps", "1")
              .set("execution.checkpointing.interval", "0")
              .setAll(options)
              .run();
    }
    double measured = told.roundsPerSecond();
    coordinatorSeconds = coordinator.share().orElse(Double.NaN) / measured;
    lab.say(
        "%s MB, %s replicas %s: %s rounds/s, %s MB/s of model per replica"
            .formatted(
                Figures.plain(megabytes),
                replicas,
                options,
                Figures.plain(measured),
                Figures.plain(measured * megabytes)));
    return measured;
  }

  /** The coordinator's processor time for a round of the last run, once it was under way. */
  double coordinatorSeconds() {
    return coordinatorSeconds;
  }
}
