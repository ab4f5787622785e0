package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every record is in the model exactly once, with at least 20 failures a run: where replicas and
 * exchange share a process, in memory, and through the network.
 */
class ExactlyOnceIT {

  private static final int REPLICAS = 2;
  private static final int PER_PARTITION = 12_000;
  private static final int FAULTS = 21;
  private static final byte[] BAD = "no example".getBytes(StandardCharsets.UTF_8);

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      List<byte[]> values = new ArrayList<>(Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
      for (int offset = 5; offset < PER_PARTITION; offset += 13) {
        values.set(offset, BAD);
      }
      Broker.produce(topic, partition, values);
    }
  }

  @ParameterizedTest
  @CsvSource({"hashmap,on,true", "rocksdb,off,false"})
  void syncEndsAsAnUndisturbedRunWould(String backend, String standardize, boolean direct)
      throws Exception {
    Job undisturbed = job("undisturbed", backend, "sync", standardize, !direct).run();

    Job disturbed = disturb(job("disturbed", backend, "sync", standardize, direct), 60);

    assertTookAll(disturbed);
    MultiLayerNetwork expected = undisturbed.network();
    MultiLayerNetwork network = disturbed.network();
    assertThat(network.params()).isEqualTo(expected.params());
    assertThat(network.getUpdater().getStateViewArray())
        .isEqualTo(expected.getUpdater().getStateViewArray());
    assertThat(disturbed.description().prequential())
        .isEqualTo(undisturbed.description().prequential());
    assertThat(disturbed.description().standardizationCount())
        .isEqualTo(standardize.equals("on") ? learnedRecords() : 0);
    assertThat(disturbed.description().version().generation()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"hashmap,false", "rocksdb,true"})
  void overlapLearnsFromEachRecordOnce(String backend, boolean direct) throws Exception {
    Job job = disturb(job("overlap", backend, "overlap", "on", direct), 12);

    assertTookAll(job);
    assertThat(job.description().prequential().examples()).isEqualTo(learnedRecords());
    assertThat(job.description().standardizationCount()).isEqualTo(learnedRecords());
  }

  private Job job(
      String name, String backend, String schedule, String standardize, boolean direct) {
    return new Job(topic, directory.resolve(name))
        .parallelism(REPLICAS)
        .backend(backend)
        .set("input.standardize", standardize)
        .set("exchange.schedule", schedule)
        .set("exchange.direct", Boolean.toString(direct));
  }

  /** Faults come after {@code meanSteps} passes of the place whose turn it is, on average. */
  private static Job disturb(Job job, int meanSteps) throws Exception {
    long seed = new Random().nextLong();
    SeededFaults faults = new SeededFaults(seed, FAULTS, meanSteps);
    job.faults(faults).run();
    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    return job;
  }

  private static void assertTookAll(Job job) throws Exception {
    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    assertThat(job.description().ledger())
        .allSatisfy(entry -> assertThat(entry.rejected().count()).isEqualTo(badRecords()));
  }

  private static long learnedRecords() {
    return REPLICAS * (PER_PARTITION - badRecords());
  }

  private static long badRecords() {
    return (PER_PARTITION - 5 + 12) / 13;
  }
}
