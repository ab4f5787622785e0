package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The moving average of a job's parameters: trained beside, published, and exported. */
@Tag("slow")
class AverageExportIT {

  /** In whole minibatches and rounds. */
  private static final int PER_PARTITION = 1_600;

  @TempDir Path directory;

  @Test
  void failuresChangeNoBitOfIt() throws Exception {
    String topic = topic(2);
    Job undisturbed = averaging("undisturbed", topic).run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, 4, 16);

    Job disturbed = averaging("disturbed", topic).backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("seed %d", seed).isEqualTo(4);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    assertThat(disturbed.description().movingAverage()).isTrue();
    assertThat(parameters(newest(disturbed)))
        .as("seed %d", seed)
        .isEqualTo(parameters(newest(undisturbed)));
  }

  /** Of one savepoint: what is served, and what is trained on from. */
  @Test
  void aSavepointGivesTheAverageAndTheNewestModel() throws Exception {
    String topic = topic(1);
    Job averaged = averaging("averaged", topic);
    String savepoint = stopAtTheEnd(averaged, topic);
    Path published = newest(averaged);
    Job plain = job("plain", topic);
    stopAtTheEnd(plain, topic);

    ModelExport average =
        ModelExport.run(
            savepoint,
            directory.resolve("a.zip"),
            false,
            true,
            ModelExport.Members.ALL,
            ModelExport.Format.ARCHIVE,
            TrustedKeys.NONE,
            (b, all, bytes) -> {});
    ModelExport newest =
        ModelExport.run(savepoint, directory.resolve("n.zip"), false, (b, all, bytes) -> {});

    assertThat(average.model().vector())
        .isEqualTo(parameters(directory.resolve("a.zip")))
        .isEqualTo(parameters(published));
    assertThat(newest.model().vector())
        .as("parameters and updater state of a job that keeps no average")
        .isEqualTo(parameters(newest(plain)));
    assertThat(ledger(directory.resolve("a.zip")))
        .isEqualTo(ledger(directory.resolve("n.zip")))
        .isEqualTo(ledger(published));
    assertThat(description(directory.resolve("a.zip")).movingAverage()).isTrue();
    assertThat(description(directory.resolve("n.zip")).movingAverage()).isFalse();
    assertThat(description(published).version()).isEqualTo(average.model().version());
  }

  private static String topic(int partitions) throws Exception {
    String topic = Broker.topic(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
    return topic;
  }

  private Job job(String name, String topic) {
    return new Job(topic, directory.resolve(name)).set("exchange.local-steps", "2");
  }

  private Job averaging(String name, String topic) {
    return job(name, topic).set("exchange.ema.half-life", "200");
  }

  private static String stopAtTheEnd(Job job, String topic) throws Exception {
    JobClient client = job.parallelism(1).set("input.bounded", "false").start();
    job.await(() -> job.taken() == PER_PARTITION);
    String savepoint = job.stop(client, false);
    job.assertTookAll(topic, PER_PARTITION);
    return savepoint;
  }

  private static Path newest(Job job) throws IOException {
    return LatestSnapshot.find(job.models()).orElseThrow().archive();
  }

  private static float[] parameters(Path archive) throws IOException {
    return StoredModel.open(archive.toString()).vector((blocks, all, bytes) -> {});
  }

  private static List<PartitionProgress> ledger(Path archive) throws IOException {
    return StoredModel.open(archive.toString()).inspect().ledger();
  }

  private static SnapshotDescription description(Path archive) throws IOException {
    return StoredModel.open(archive.toString()).inspect().snapshot();
  }
}
