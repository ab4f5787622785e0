package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.PartitionProgress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A savepoint of format version 1 is restored. It is kept as the text of its bytes, and isn't
 * changed once a release has written that version: a format that changes later gets a version and a
 * fixture of its own.
 */
class SavepointFixtureIT {

  private static final Path FIXTURE =
      Path.of("src/test/resources/dev/millrace/job/it/savepoint-1.base64");

  /** Its name is part of the savepoint. */
  private static final String TOPIC = "savepoint-fixture-1";

  private static final int LEARNED = 8 * 25;

  @TempDir Path directory;

  @Test
  @DisabledIfSystemProperty(named = "millrace.remake", matches = "true")
  void aSavepointOfVersionOneIsRestored() throws Exception {
    String topic = Broker.topicNamed(TOPIC, 2);
    int more = LEARNED + 8 * 10;
    produce(topic, more);
    Path savepoint = Files.createDirectory(directory.resolve("savepoint"));
    Files.write(
        savepoint.resolve("_metadata"), Base64.getMimeDecoder().decode(Files.readString(FIXTURE)));
    Job job = job(topic).from(savepoint.toString());

    JobClient client = job.start();
    job.await(() -> job.taken() == 2L * more);
    job.stop(client, false);

    assertThat(job.description().ledger())
        .extracting(
            PartitionProgress::partition,
            entry -> entry.learned().count(),
            entry -> entry.learned().first(),
            entry -> entry.learned().last())
        .as("what each of the two topics of the name gave")
        .containsExactlyInAnyOrder(
            tuple(0, (long) LEARNED, 0L, LEARNED - 1L),
            tuple(0, (long) more - LEARNED, (long) LEARNED, more - 1L),
            tuple(1, (long) LEARNED, 0L, LEARNED - 1L),
            tuple(1, (long) more - LEARNED, (long) LEARNED, more - 1L));
    ModelVersion model = job.description().version();
    assertThat(model.generation()).isEqualTo(1);
    assertThat(model.round()).isGreaterThan(8);
  }

  /** With {@code -Dmillrace.remake=true}, as long as no release has written version 1. */
  @Test
  @EnabledIfSystemProperty(named = "millrace.remake", matches = "true")
  void remake() throws Exception {
    String topic = Broker.topicNamed(TOPIC, 2);
    produce(topic, LEARNED);
    Job job = job(topic);
    JobClient client = job.start();
    job.await(() -> job.taken() == 2L * LEARNED);
    Path savepoint = Path.of(URI.create(job.stop(client, false)));

    try (Stream<Path> files = Files.list(savepoint)) {
      assertThat(files).as("all is in one file").hasSize(1);
    }
    Files.write(
        FIXTURE,
        Base64.getMimeEncoder(76, new byte[] {'\n'})
            .encode(Files.readAllBytes(savepoint.resolve("_metadata"))));
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .set("input.bounded", "false")
        .set("input.standardize", "on")
        .set("batch.max-wait", "100 ms")
        // The broker that it was taken with is gone; what this one holds is the same.
        .set("input.on-recreated-topic", "continue")
        .flink("execution.checkpointing.data-inline-threshold", "1mb");
  }

  private static void produce(String topic, int perPartition) throws Exception {
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(perPartition)));
    }
  }
}
