package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.TopicCreation;
import dev.millrace.kafka.testing.Broker;
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
      Path.of("..", "examples", "embedded", "target", "flowers-1.0.jar").toAbsolutePath();

  /** The topics have one partition, whose split the ledger names. */
  private static final String SPLIT = "flowers-0";

  private final Random random = new Random(7);

  @Test
  void aProgramTrainsAndScoresInOneJob(TestCluster cluster) throws Exception {
    KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
    for (String topic : List.of("flowers", "unknown", "named")) {
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

    Broker.produce("flowers", 0, lines(3_000, true));
    await().atMost(LIMIT).until(() -> learned(models) == 3_000);
    JobProcesses.taskManagerOf(cluster, job).kill();
    cluster.cluster().startMissing();
    Broker.produce("flowers", 0, lines(3_000, true));
    await().atMost(LIMIT).until(() -> learned(models) == 6_000);
    LedgerCheck.requireAll(newest(models).orElseThrow(), SPLIT, 6_000);

    Broker.produce("unknown", 0, lines(300, false));
    List<String> named =
        Broker.read("named", 1, 300).stream()
            .map(record -> new String(record.value(), UTF_8))
            .toList();
    assertThat(named.stream().filter(EmbeddedExampleIT::isRight).count())
        .isGreaterThan(named.size() * 9L / 10);
    cluster.flink().run("cancel", job);
  }

  private static long learned(Path models) throws Exception {
    return newest(models).map(SnapshotDescription::learned).orElse(0L);
  }

  private static Optional<SnapshotDescription> newest(Path models) throws Exception {
    return LatestSnapshot.find(models).map(LatestSnapshot::description);
  }

  /** Three kinds, each about 2 in another of the first measures. */
  private List<byte[]> lines(int count, boolean withKind) {
    List<byte[]> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(3);
      StringBuilder line = new StringBuilder();
      for (int measure = 0; measure < 4; measure++) {
        double value = (measure == kind ? 2 : 0) + random.nextGaussian() / 3;
        line.append(String.format(Locale.ROOT, "%.3f,", value));
      }
      line.append(withKind ? Integer.toString(kind) : "?");
      lines.add(line.toString().getBytes(UTF_8));
    }
    return lines;
  }

  /** Whether the kind named behind a line is that of its greatest measure. */
  private static boolean isRight(String line) {
    String[] parts = line.split(",", -1);
    int greatest = 0;
    for (int measure = 1; measure < 3; measure++) {
      if (Double.parseDouble(parts[measure]) > Double.parseDouble(parts[greatest])) {
        greatest = measure;
      }
    }
    return parts[5].equals(Integer.toString(greatest));
  }
}
