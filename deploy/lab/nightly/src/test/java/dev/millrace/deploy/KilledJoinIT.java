package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.JoinedRecords;
import dev.millrace.kafka.testing.LateLabels;
import dev.millrace.kafka.testing.LateLabels.Kind;
import dev.millrace.kafka.testing.PutAside;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A join whose TaskManagers and JobManagers are killed in turn at moments that a seed decides, with
 * more of its input each time: each pair is in the output once, counted by a plain program.
 */
class KilledJoinIT {

  private static final int PAIRS = Integer.getInteger("millrace.join.pairs", 300_000);
  private static final int KILLS = Integer.getInteger("millrace.kills", 8);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int PARTITIONS = 3;
  private static final List<String> TOPICS = List.of("features", "labels", "joined", "aside");

  @Timeout(value = 3, unit = TimeUnit.HOURS)
  @Test
  void eachPairIsThereOnceWhateverIsKilled() throws Exception {
    long seed = Seeds.next();
    System.out.println("Seed " + seed);
    Random random = new Random(seed);
    LateLabels source = new LateLabels(seed, PAIRS, PARTITIONS);
    try (TestCluster cluster = TestCluster.start("killed-join", 3, true)) {
      KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
      String run = "join-" + Long.toHexString(seed) + "-";
      for (String topic : TOPICS) {
        TopicCreation.ensure(kafka, run + topic, PARTITIONS, LIMIT);
      }
      String job = submit(cluster, run);
      try (JoinedRecords joined = new JoinedRecords(kafka, run + "joined", source)) {
        long before = 0;
        for (int kill = 0; kill < KILLS; kill++) {
          source.send(kafka, run + "features", run + "labels", 1 + source.size() / (KILLS + 1));
          long known = before;
          await(cluster, () -> joined.pairs() > known);
          TimeUnit.MILLISECONDS.sleep(random.nextInt(2_000)); // Any moment of a checkpoint.
          before = joined.pairs();
          if (kill % 2 == 0) {
            JobProcesses.taskManagerOf(cluster, job).kill();
          } else {
            cluster.cluster().leader().kill();
          }
        }
        source.send(kafka, run + "features", run + "labels", source.size());
        source.sendEnd(kafka, run + "features", run + "labels");
        await(cluster, () -> joined.pairs() == source.count(Kind.PAIR));
        await(
            cluster,
            () ->
                count(kafka, run, PutAside.LATE)
                    == source.count(Kind.LATE) + source.count(Kind.ALONE));
        await(cluster, () -> isStopped(cluster, job));

        assertThat(joined.pairs()).isEqualTo(source.count(Kind.PAIR));
        assertThat(joined.faults()).isEmpty();
        assertThat(count(kafka, run, PutAside.LATE))
            .isEqualTo(source.count(Kind.LATE) + source.count(Kind.ALONE));
        assertThat(count(kafka, run, PutAside.DUPLICATE)).isEqualTo(source.duplicates());
        assertThat(count(kafka, run, PutAside.REJECTED)).isZero();
        Figures.tell(
            "%s kills, %s records, %s pairs each once, %s late, %s duplicates"
                .formatted(
                    KILLS,
                    source.size(),
                    joined.pairs(),
                    source.count(Kind.LATE) + source.count(Kind.ALONE),
                    source.duplicates()));
      }
    }
  }

  /** Starts what has died until a condition is met, as whoever runs a cluster does. */
  private static void await(TestCluster cluster, BooleanSupplier condition) {
    Awaitility.await()
        .pollInSameThread()
        .atMost(LIMIT)
        .until(
            () -> {
              cluster.cluster().startMissing();
              return condition.getAsBoolean();
            });
  }

  /** Asks again where the client gave up: a JobManager may have lost its leadership meanwhile. */
  private static boolean isStopped(TestCluster cluster, String job) {
    try {
      Flink.Answer answer = cluster.flink().run("stop", "-p", savepoints(cluster), job);
      System.out.println(answer.output());
      return answer.exitCode() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static long count(KafkaCluster kafka, String run, PutAside kind) {
    return PutAside.count(kafka, run + "aside").get(kind);
  }

  private static String submit(TestCluster cluster, String run) throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", cluster.bootstrapServers());
    options.put("kafka.group.id", run + "group");
    options.put("join.features.topics", run + "features");
    options.put("join.labels.topics", run + "labels");
    options.put("join.output.topic", run + "joined");
    options.put("dead-letter.topic", run + "aside");
    options.put("join.within", LateLabels.WITHIN.toMillis() + " ms");
    options.put("join.out-of-order", LateLabels.OUT_OF_ORDER.toMillis() + " ms");
    options.put("join.label", "verdict.class");
    options.put("execution.checkpointing.interval", "1 s");
    options.put(
        "execution.checkpointing.dir", "file://" + cluster.directory().resolve("checkpoints"));
    List<String> lines =
        options.entrySet().stream()
            .map(option -> "%s: \"%s\"".formatted(option.getKey(), option.getValue()))
            .toList();
    Path config = Files.write(cluster.directory().resolve("join.yaml"), lines);
    return cluster
        .flink()
        .run(
            "run",
            "-d",
            "-p",
            "2",
            "-c",
            "dev.millrace.job.JoinJob",
            Distribution.jobJar().toString(),
            "--config",
            config.toString())
        .job();
  }

  private static String savepoints(TestCluster cluster) {
    return "file://" + cluster.directory().resolve("savepoints");
  }
}
