package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotState;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A job that trains and publishes a model each round, and one that scores with them, whose
 * processes are killed in turn at moments that a seed decides.
 */
class KilledPublicationIT {

  private static final int KILLS = Integer.getInteger("millrace.kills", 12);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int PARTITIONS = 2;
  private static final double EXAMPLES_A_SECOND = 400;

  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  @Test
  void theLatestModelIsAlwaysWholeAndVersionsOnlyGrow() throws Exception {
    long seed = Seeds.next();
    System.out.println("Seed " + seed);
    Random random = new Random(seed);
    try (TestCluster cluster = TestCluster.start("killed-publication", 3, false)) {
      KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
      for (String topic : List.of("learned", "scored", "predictions")) {
        TopicCreation.ensure(kafka, topic, topic.equals("predictions") ? 1 : PARTITIONS, LIMIT);
      }
      Path models = cluster.directory().resolve("models");
      Path config = config(cluster, models);
      try (SteadyProducer learned = SteadyProducer.start(kafka, "learned", EXAMPLES_A_SECOND);
          SteadyProducer scored = SteadyProducer.start(kafka, "scored", EXAMPLES_A_SECOND);
          SnapshotObserver observer = SnapshotObserver.start(models)) {
        String training =
            cluster.flink().run("run", "-d", "-p", "1", jar(), "--config", config.toString()).job();
        observer.awaitMore(1, LIMIT);
        String scoring =
            cluster
                .flink()
                .run(
                    "run",
                    "-d",
                    "-p",
                    "1",
                    "-c",
                    "dev.millrace.job.ScoringJob",
                    jar(),
                    "--config",
                    scoringConfig(cluster, models).toString())
                .job();
        try (Predictions predictions = new Predictions(kafka, "predictions", 1)) {
          Predicted predicted = new Predicted(predictions);
          predicted.awaitMore(1, LIMIT);
          for (int kill = 0; kill < KILLS; kill++) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(2_000)); // Any moment of a publication.
            JobProcesses.taskManagerOf(cluster, kill % 2 == 0 ? training : scoring).kill();
            cluster.cluster().startMissing();
            observer.awaitMore(3, LIMIT);
            predicted.awaitMore(50, LIMIT);
          }
          long toLearn = learned.end();
          long toScore = scored.end();
          await().atMost(LIMIT).until(() -> newest(models).learned() == toLearn);
          await().pollInSameThread().atMost(LIMIT).until(() -> predicted.records() == toScore);
          cluster.flink().run("stop", "-p", savepoints(cluster), training).savepoint();

          Set<ModelVersion> versions = predicted.versions();
          assertThat(versions).isSubsetOf(existing(models));
          Figures.tell(
              "%s kills, %s models found whole, %s predictions by %s models"
                  .formatted(KILLS, observer.found(), predicted.records(), versions.size()));
        }
        cluster.flink().run("cancel", scoring);
        observer.requireNoFault();
      }
      requireCommittedToBePrefixes(models);
    }
  }

  private static Path config(TestCluster cluster, Path models) throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", cluster.bootstrapServers());
    options.put("input.topics", "learned");
    options.put("input.format", "uint8");
    options.put("input.features", "784");
    options.put("input.outputs", "10");
    options.put("model.name", "linear");
    options.put("batch.max-wait", "100 ms");
    options.put("execution.checkpointing.interval", "1 s");
    options.put(
        "execution.checkpointing.dir", "file://" + cluster.directory().resolve("checkpoints"));
    options.put("snapshot.directory", models.toString());
    options.put("snapshot.rounds", "1");
    options.put("snapshot.keep", "1000000");
    return write(cluster, "train.yaml", options);
  }

  private static Path scoringConfig(TestCluster cluster, Path models) throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", cluster.bootstrapServers());
    options.put("input.format", "uint8");
    options.put("input.features", "784");
    options.put("input.outputs", "10");
    options.put("execution.checkpointing.interval", "1 s");
    options.put(
        "execution.checkpointing.dir",
        "file://" + cluster.directory().resolve("scoring-checkpoints"));
    options.put("scoring.topics", "scored");
    options.put("scoring.output-topic", "predictions");
    options.put("scoring.models", models.toString());
    return write(cluster, "score.yaml", options);
  }

  private static Path write(TestCluster cluster, String name, Map<String, String> options)
      throws Exception {
    return Files.write(cluster.directory().resolve(name), lines(options));
  }

  private static List<String> lines(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> "%s: \"%s\"".formatted(option.getKey(), option.getValue()))
        .toList();
  }

  private static String jar() {
    return Distribution.jobJar().toString();
  }

  private static String savepoints(TestCluster cluster) {
    return "file://" + cluster.directory().resolve("savepoints");
  }

  private static SnapshotDescription newest(Path models) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(models));
    return catalog.find(catalog.versions().last()).orElseThrow();
  }

  private static Set<ModelVersion> existing(Path models) throws Exception {
    return new SnapshotCatalog(SnapshotStore.directory(models)).versions();
  }

  /** Records of a partition are learned in their order: a prefix is the first so many. */
  private static void requireCommittedToBePrefixes(Path models) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(models));
    Map<Integer, Long> last = LedgerCheck.requirePrefix(newest(models), "learned");
    int committed = 0;
    for (ModelVersion version : catalog.versions()) {
      SnapshotDescription snapshot = catalog.find(version).orElseThrow();
      if (snapshot.state() == SnapshotState.COMMITTED) {
        committed++;
        LedgerCheck.requirePrefix(snapshot, "learned")
            .forEach(
                (partition, count) -> assertThat(count).isLessThanOrEqualTo(last.get(partition)));
      }
    }
    assertThat(committed).isPositive();
    assertThat(newest(models).state()).isEqualTo(SnapshotState.COMMITTED);
  }
}
