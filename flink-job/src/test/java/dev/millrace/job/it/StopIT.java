package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stopped job leaves behind. */
class StopIT {

  @TempDir Path directory;

  /** With an interval it may be due for writing, and begun, when the savepoint completes. */
  @ParameterizedTest
  @ValueSource(strings = {"0 s", "100 ms"})
  void stopWithoutDrainWritesTheModelOfTheSavepoint(String interval) throws Exception {
    int perPartition = 20_000;
    String topic = topicOf(2, perPartition);
    Job job = unbounded(topic).set("snapshot.interval", interval);
    JobClient client = job.faults(SlowSteps.slowerAfter(200)).start();
    job.await(() -> job.taken() > 1000);

    String savepoint = job.stop(client, false);

    SnapshotDescription written = job.description();
    assertThat(LedgerCheck.requirePrefix(written, topic))
        .hasSize(2)
        .allSatisfy(
            (partition, count) -> assertThat(count).isPositive().isLessThan((long) perPartition));
    int reports = job.metrics("progress").size();
    client = job.faults(FaultInjector.NONE).from(savepoint).start();
    job.await(() -> job.metrics("progress").size() > reports);
    JsonNode next = job.metrics("progress").get(reports);
    job.cancel(client);
    assertThat(next.get("generation").asLong()).isEqualTo(written.version().generation() + 1);
    assertThat(next.get("round").asLong()).isEqualTo(written.version().round() + 1);
  }

  @Test
  void stopWithDrainLearnsEverythingTakenIn() throws Exception {
    int perPartition = 8 * 5 + 3;
    String topic = topicOf(2, perPartition);
    Job job = unbounded(topic);
    JobClient client = job.start();
    job.await(
        () ->
            Broker.positions(topic).equals(Map.of(0, (long) perPartition, 1, (long) perPartition)));

    job.stop(client, true);

    job.assertTookAll(topic, perPartition, perPartition);
  }

  /** Which the connector's source alone doesn't: it isn't told that no more splits will come. */
  @Test
  void boundedInputThatIsRestoredEnds() throws Exception {
    int perPartition = 8 * 150;
    Job job = new Job(topicOf(2, perPartition), directory);
    JobClient client = job.faults(SlowSteps.slowerAfter(20)).start();
    job.await(() -> job.taken() > 0);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).isLessThan(2L * perPartition);

    client = job.faults(FaultInjector.NONE).from(savepoint).start();

    assertThat(client.getJobExecutionResult()).succeedsWithin(Job.LIMIT);
  }

  @Test
  void aJobThatFailsForGoodLeavesItsCheckpoint() throws Exception {
    Path checkpoints = directory.resolve("checkpoints");
    String root = checkpoints.toString();
    Job job =
        unbounded(topicOf(1, 20_000))
            .parallelism(1)
            .restarts(0)
            .faults(
                (place, index) -> {
                  if (!wholeCheckpoints(Path.of(root)).isEmpty()) {
                    throw new IllegalStateException("planted");
                  }
                });

    assertThatThrownBy(job::run).rootCause().hasMessage("planted");

    assertThat(wholeCheckpoints(checkpoints)).isNotEmpty();
  }

  private static List<Path> wholeCheckpoints(Path root) {
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.endsWith("_metadata")).toList();
    } catch (IOException | UncheckedIOException e) {
      // Older checkpoints go while this looks.
      return List.of();
    }
  }

  private Job unbounded(String topic) {
    return new Job(topic, directory).set("input.bounded", "false");
  }

  private static String topicOf(int partitions, int perPartition) throws Exception {
    String topic = Broker.topic(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(perPartition)));
    }
    return topic;
  }
}
