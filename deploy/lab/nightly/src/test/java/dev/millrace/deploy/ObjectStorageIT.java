package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.local.cluster.Hosts;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints, savepoints and models of jobs are objects of a store, which dies in the midst of
 * writing them; commands read them there.
 */
class ObjectStorageIT {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int PARTITIONS = 2;
  private static final int OUTAGES = 3;

  @Test
  void aJobLivesOnAnObjectStoreThatDiesAndComesBack() throws Exception {
    Path directory = Files.createDirectories(Distribution.workDirectory("object-store"));
    try (ObjectStore store = ObjectStore.start(directory);
        TestCluster cluster =
            TestCluster.start(
                "object-storage",
                TestCluster.plan(4, false, store.configuration()),
                Hosts.LOOPBACK)) {
      KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
      for (String topic : List.of("stored", "asked", "answers")) {
        TopicCreation.ensure(kafka, topic, topic.equals("answers") ? 1 : PARTITIONS, LIMIT);
      }
      Path models = store.objects().resolve("models");
      try (SteadyProducer learned = SteadyProducer.start(kafka, "stored", 400);
          SteadyProducer scored = SteadyProducer.start(kafka, "asked", 100);
          SnapshotObserver observer = SnapshotObserver.start(models);
          Predictions predictions = new Predictions(kafka, "answers", 1)) {
        String training = submit(cluster, "train", training(cluster), "-p", "1");
        observer.awaitMore(1, LIMIT);
        String scoring =
            submit(
                cluster, "score", scoring(cluster), "-p", "1", "-c", "dev.millrace.job.ScoringJob");
        Predicted predicted = new Predicted(predictions);
        predicted.awaitMore(1, LIMIT);

        for (int outage = 0; outage < OUTAGES; outage++) {
          // It publishes a model each round, so most moments are in the midst of one.
          observer.awaitMore(2, LIMIT);
          store.kill();
          if (outage == 1) {
            JobProcesses.taskManagerOf(cluster, training).kill();
            cluster.cluster().startMissing();
          }
          store.startAgain();
          observer.awaitMore(3, LIMIT);
          predicted.awaitMore(50, LIMIT);
        }

        String savepoint =
            cluster.flink().run("stop", "-p", ObjectStore.uri("savepoints"), training).savepoint();
        assertThat(savepoint).startsWith(ObjectStore.uri("savepoints"));
        requireReadable(cluster, savepoint, directory);

        String resumed = submit(cluster, "train", training(cluster), "-p", "2", "-s", savepoint);
        long toLearn = learned.end();
        long toScore = scored.end();
        await().atMost(LIMIT).until(() -> newest(models).learned() == toLearn);
        await().pollInSameThread().atMost(LIMIT).until(() -> predicted.records() == toScore);
        cluster.flink().run("stop", "-p", ObjectStore.uri("savepoints"), resumed).savepoint();
        cluster.flink().run("cancel", scoring);
        observer.requireNoFault();

        LedgerCheck.requirePrefix(newest(models), "stored");
        Figures.tell(
            "%s outages of the object store, %s models found whole, %s records learned, %s predicted"
                .formatted(OUTAGES, observer.found(), toLearn, toScore));
      }
    }
  }

  /** By the commands that people have, and not with a wrong key. */
  private static void requireReadable(TestCluster cluster, String savepoint, Path directory)
      throws Exception {
    Path conf = cluster.cluster().files().conf();
    assertThat(Millrace.run(conf, 0, "inspect", savepoint)).contains("stored");
    Path exported = directory.resolve("model.zip");
    Millrace.run(conf, 0, "export", "--from", savepoint, "--to", exported.toString());
    assertThat(exported).isNotEmptyFile();
    assertThat(
            Millrace.run(
                conf,
                0,
                "audit",
                savepoint,
                "--kafka.bootstrap.servers",
                cluster.bootstrapServers()))
        .contains("each exactly once");

    Path wrong = Files.createDirectories(directory.resolve("wrong-key"));
    Files.writeString(
        wrong.resolve("config.yaml"),
        Files.readString(conf.resolve("config.yaml")).replace("of-the-tests", "of-nobody"));
    assertThat(Millrace.run(wrong, 1, "inspect", savepoint)).contains(savepoint, "403");
  }

  private static String submit(
      TestCluster cluster, String name, Map<String, String> options, String... arguments)
      throws Exception {
    Path config =
        Files.write(
            cluster.directory().resolve(name + ".yaml"),
            options.entrySet().stream()
                .map(option -> "%s: \"%s\"".formatted(option.getKey(), option.getValue()))
                .toList());
    List<String> command = new ArrayList<>(List.of("run", "-d"));
    command.addAll(List.of(arguments));
    command.addAll(List.of(Distribution.jobJar().toString(), "--config", config.toString()));
    return cluster.flink().run(command).job();
  }

  private static Map<String, String> training(TestCluster cluster) {
    Map<String, String> options = common(cluster);
    options.put("input.topics", "stored");
    options.put("model.name", "linear");
    options.put("batch.max-wait", "100 ms");
    options.put("snapshot.directory", ObjectStore.uri("models"));
    options.put("snapshot.rounds", "1");
    options.put("snapshot.keep", "1000000");
    return options;
  }

  private static Map<String, String> scoring(TestCluster cluster) {
    Map<String, String> options = common(cluster);
    options.put("execution.checkpointing.dir", ObjectStore.uri("scoring-checkpoints"));
    options.put("scoring.topics", "asked");
    options.put("scoring.output-topic", "answers");
    options.put("scoring.models", ObjectStore.uri("models"));
    return options;
  }

  private static Map<String, String> common(TestCluster cluster) {
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", cluster.bootstrapServers());
    options.put("input.format", "uint8");
    options.put("input.features", "784");
    options.put("input.outputs", "10");
    options.put("execution.checkpointing.interval", "1 s");
    options.put("execution.checkpointing.dir", ObjectStore.uri("checkpoints"));
    return options;
  }

  private static SnapshotDescription newest(Path models) throws Exception {
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(models));
    return catalog.find(catalog.versions().last()).orElseThrow();
  }
}
