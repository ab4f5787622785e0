package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The project in deploy/examples/embedded, submitted as its owner would, whose process dies. */
@Tag("slow")
@ExtendWith(SharedCluster.class)
class EmbeddedExampleIT {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Path JAR =
      Path.of("..", "..", "examples", "embedded", "target", "flowers-1.0.jar").toAbsolutePath();

  /** What the ledger calls the joined stream. */
  private static final String STREAM = "stream";

  private final Random random = new Random(7);
  private final List<Integer> kinds = new ArrayList<>();

  @Test
  void aProgramTrainsOnAJoinAndScoresInOneJob(TestCluster cluster) throws Exception {
    KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
    for (String topic : List.of("measured", "told", "named")) {
      TopicCreation.ensure(kafka, topic, 1, LIMIT);
    }
    Path models = cluster.directory().resolve("flowers");
    String job =
        cluster
            .flink()
            .run(
                "run",
                "-d",
                "-p",
                "1",
                JAR.normalize().toString(),
                cluster.bootstrapServers(),
                models.toString())
            .job();

    send(3_000);
    await().atMost(LIMIT).until(() -> learned(models) == 3_000);
    JobProcesses.taskManagerOf(cluster, job).kill();
    cluster.cluster().startMissing();
    send(3_000);
    await().atMost(LIMIT).until(() -> learned(models) == 6_000);
    LedgerCheck.requireAll(newest(models).orElseThrow(), STREAM, 6_000);

    // Some twice: the example's sink is at-least-once.
    await()
        .pollInSameThread()
        .atMost(LIMIT)
        .until(() -> named().stream().map(EmbeddedExampleIT::id).distinct().count() == 6_000);
    List<String> named = named();
    List<String> last = named.subList(named.size() - 500, named.size());
    assertThat(last.stream().filter(this::isRight).count()).isGreaterThan(250);
    cluster.flink().run("cancel", job);
  }

  private static long learned(Path models) throws Exception {
    return newest(models).map(SnapshotDescription::learned).orElse(0L);
  }

  private static Optional<SnapshotDescription> newest(Path models) throws Exception {
    return LatestSnapshot.find(models).map(LatestSnapshot::description);
  }

  /**
   * Flowers of three kinds, each with about 2 in another of the first measures; then their kinds.
   */
  private void send(int count) throws Exception {
    List<byte[]> measured = new ArrayList<>();
    List<byte[]> told = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int id = kinds.size();
      int kind = random.nextInt(3);
      kinds.add(kind);
      StringBuilder line = new StringBuilder(Integer.toString(id));
      for (int measure = 0; measure < 4; measure++) {
        double value = (measure == kind ? 2 : 0) + random.nextGaussian() / 3;
        line.append(String.format(Locale.ROOT, ",%.3f", value));
      }
      measured.add(line.toString().getBytes(UTF_8));
      told.add("%s,%s".formatted(id, kind).getBytes(UTF_8));
    }
    Broker.produce("measured", 0, measured);
    Broker.produce("told", 0, told);
  }

  private static List<String> named() {
    return Broker.read("named").stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  private static int id(String line) {
    return Integer.parseInt(line.split(",", -1)[0]);
  }

  private boolean isRight(String line) {
    return Integer.parseInt(line.split(",", -1)[1]) == kinds.get(id(line));
  }
}
