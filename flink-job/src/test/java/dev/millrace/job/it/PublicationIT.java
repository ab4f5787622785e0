package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.models.ModelTopicReader;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublicationGate;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotState;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that a running job publishes. */
class PublicationIT {

  /** Of each partition. */
  private static final int EXAMPLES = 8 * 60;

  private static final int UNDER_FAILURES = 8 * 250;

  @TempDir Path directory;

  /** Over failures at all places, also ones between two checkpoints. */
  @Test
  void versionsOnlyGrowAndWhatIsCommittedIsPartOfTheEnd() throws Exception {
    long seed = Seeds.next();
    String topic = topicOf(2, UNDER_FAILURES);
    SeededFaults faults = new SeededFaults(seed, 7, 16);

    Job job = publishing(topic).set("snapshot.rounds", "1").faults(faults).run();

    assertThat(faults.thrown()).as("seed %d", seed).isEqualTo(7);
    job.assertTookAll(topic, UNDER_FAILURES, UNDER_FAILURES);
    List<ModelVersion> inOrder = new ArrayList<>();
    for (JsonNode record : job.metrics("snapshot")) {
      if (record.get("state").asText().equals("fresh")) {
        inOrder.add(
            new ModelVersion(record.get("generation").asLong(), record.get("round").asLong()));
      }
    }
    // The file of metrics gets some records twice after a failure, and each only once before it.
    assertThat(new TreeSet<>(inOrder)).hasSizeGreaterThan(5);
    SnapshotDescription last = job.description();
    assertThat(last.state()).as("seed %d", seed).isEqualTo(SnapshotState.COMMITTED);
    int committed = 0;
    SnapshotDescription before = null;
    for (SnapshotDescription snapshot : all(job)) {
      assertThat(snapshot.number()).isEqualTo(before == null ? 1 : before.number() + 1);
      assertThat(TestEngine.DL4J.engine().readArchive(archive(job, snapshot)).iteration())
          .isPositive();
      if (snapshot.state() == SnapshotState.COMMITTED) {
        committed++;
        assertPrefix(topic, snapshot, last, seed);
      }
      before = snapshot;
    }
    assertThat(committed).as("seed %d", seed).isGreaterThan(2);
    assertThat(catalog(job).pointer(Pointer.COMMITTED).orElseThrow().version())
        .isEqualTo(last.version().toString());
  }

  /** Rounds come before the interval is over, and then no more records. */
  @Test
  void theLastModelOfAnIdleTopicIsPublishedInTime() throws Exception {
    String topic = topicOf(1);
    Job job =
        publishing(topic)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("snapshot.interval", "3 s");

    JobClient client = job.start();

    job.await(
        () ->
            catalog(job).pointer(Pointer.COMMITTED).isPresent()
                && job.description().ledger().stream()
                        .mapToLong(entry -> entry.learned().count())
                        .sum()
                    == EXAMPLES);
    job.cancel(client);
  }

  @Test
  void aJobThatStartsAnewInTheSamePlaceGoesOnUpwards() throws Exception {
    String topic = topicOf(2);
    ModelVersion first = publishing(topic).run().description().version();

    Job again = publishing(topic).set("model.name", "linear").unset("model.hidden").run();

    assertThat(again.description().version().generation()).isGreaterThan(first.generation());
  }

  @EachEngine
  void aWarmStartNamesItsParentAndGoesOnFromItsUpdaterState(TestEngine engine) throws Exception {
    String topic = topicOf(2);
    SnapshotDescription parent = publishing(topic).engine(engine).run().description();
    Path models = directory.resolve("models");

    Job warm =
        new Job(topicOf(2), directory)
            .engine(engine)
            .unset("model.name")
            .unset("model.hidden")
            .set("model.archive", models.toString())
            .set("snapshot.directory", directory.resolve("warm").toString());
    warm.run();

    SnapshotDescription child =
        new SnapshotCatalog(SnapshotStore.directory(directory.resolve("warm")))
            .described(Pointer.LATEST)
            .orElseThrow();
    assertThat(child.parent().version()).isEqualTo(parent.version());
    assertThat(child.parent().source()).isEqualTo(models.toString());
    assertThat(child.parent().sha256()).hasSize(64);
    assertThat(child.updaterState()).isPositive();
    assertThat(child.iteration()).isEqualTo(2 * parent.iteration());
    assertThat(child.configurationHash()).isEqualTo(parent.configurationHash());
  }

  @Test
  void theGateMeasuresEachModelAndServesNoneThatIsWorse() throws Exception {
    String heldOut = Broker.topic(1);
    Broker.produce(heldOut, 0, Blobs.encode(new Blobs(3).next(300)));

    Job job =
        publishing(topicOf(2))
            .set("snapshot.rounds", "5")
            .set("evaluation.holdout", "topic:" + heldOut)
            .set("gate.metric", "loss")
            .run();

    double served = Double.MAX_VALUE;
    for (SnapshotDescription snapshot : all(job)) {
      PublicationGate.Verdict verdict = snapshot.gate();
      assertThat(verdict.candidate()).isNotNull();
      assertThat(verdict.passed()).isEqualTo(verdict.candidate() <= served);
      if (verdict.passed()) {
        served = verdict.candidate();
      }
    }
    assertThat(catalog(job).described(Pointer.LATEST).orElseThrow().holdOut().loss())
        .isEqualTo(served);
  }

  @Test
  void modelsReachTheTopicAndNoNewerOneWhileAnotherIsHeld() throws Exception {
    String models = "models-" + UUID.randomUUID();
    String topic = topicOf(2);
    Job job =
        publishing(topic)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("exchange.round-timeout", "1 s")
            .set("snapshot.rounds", "1")
            .set("snapshot.topic", models);
    JobClient client = job.start();
    job.await(() -> job.taken() == 2 * EXAMPLES);
    try (ModelTopicReader reader = ModelTopicReader.open(Broker.cluster(), models)) {
      // The job has learned all there is, so this model isn't followed by another.
      job.await(
          () ->
              LatestSnapshot.find(job.models())
                  .filter(newest -> newest.description().learned() == 2 * EXAMPLES)
                  .isPresent());
      SnapshotDescription newest = job.description();
      AtomicReference<ModelTopicReader.Model> read = new AtomicReference<>();
      await()
          .atMost(Job.LIMIT)
          .until(
              () ->
                  reader.poll(read::set)
                      && read.get().version().equals(newest.version().toString()));
      assertThat(read.get().archive()).isEqualTo(Files.readAllBytes(archive(job, newest)));

      ModelVersion older = catalog(job).versions().first();
      job.await(() -> catalog(job).find(older).orElseThrow().state() == SnapshotState.COMMITTED);
      new Rollback(SnapshotStore.directory(job.models())).to(older);
      Broker.produce(topic, 0, Blobs.encode(new Blobs(7).next(400)));
      job.await(() -> job.taken() == 2 * EXAMPLES + 400);
      job.await(
          () ->
              job.metrics("snapshot").stream()
                  .anyMatch(record -> record.get("round").asLong() > newest.version().round()));
      job.stop(client, false);

      // The topic follows the hold: no newer model is in it.
      assertThat(reader.poll(read::set)).isTrue();
      assertThat(read.get().version()).isEqualTo(older.toString());
      assertThat(job.description().version()).isEqualTo(older);
    }
  }

  private Job publishing(String topic) {
    return new Job(topic, directory).set("snapshot.keep", "1000");
  }

  private static String topicOf(int partitions) throws Exception {
    return topicOf(partitions, EXAMPLES);
  }

  private static String topicOf(int partitions, int each) throws Exception {
    String topic = Broker.topic(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(each)));
    }
    return topic;
  }

  private static SnapshotCatalog catalog(Job job) {
    return new SnapshotCatalog(SnapshotStore.directory(job.models()));
  }

  private static List<SnapshotDescription> all(Job job) throws IOException {
    List<SnapshotDescription> all = new ArrayList<>();
    for (ModelVersion version : catalog(job).versions()) {
      all.add(catalog(job).find(version).orElseThrow());
    }
    return all;
  }

  private static Path archive(Job job, SnapshotDescription snapshot) {
    return job.models().resolve(snapshot.archive());
  }

  private static void assertPrefix(
      String topic, SnapshotDescription snapshot, SnapshotDescription last, long seed) {
    LedgerCheck.requirePrefix(snapshot, topic)
        .forEach(
            (partition, count) ->
                assertThat(count)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(LedgerCheck.taken(last, topic, partition).count()));
  }
}
