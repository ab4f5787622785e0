package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every record is in the model exactly once, with failures at all places: where replicas and
 * exchange share a process, in memory, and through the network.
 */
class ExactlyOnceIT {

  private static final int REPLICAS = 2;
  private static final byte[] BAD = "no example".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  private String topic;
  private int perPartition;
  private int delay;

  /** Each place fails once. */
  @ParameterizedTest
  @EnumSource
  void syncEndsAsAnUndisturbedRunWould(TestEngine engine) throws Exception {
    produce(3_000);
    syncEndsAsAnUndisturbedRunWould(engine, "hashmap", "on", true, 7, 24);
  }

  /** Four of six steps are made while a round is made: what comes too early must wait. */
  @EachEngine
  void withADelayToo(TestEngine engine) throws Exception {
    delay = 4;
    produce(3_000);
    syncEndsAsAnUndisturbedRunWould(engine, "hashmap", "on", true, 7, 24);
  }

  @EachEngine
  void overlapLearnsFromEachRecordOnce(TestEngine engine) throws Exception {
    // Replicas that wait for a processor share rounds, and some faults count rounds: half as many.
    produce(6_000);
    overlapLearnsFromEachRecordOnce(engine, "rocksdb", false, 7, 12);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "DL4J, hashmap, on, true",
    "DL4J, rocksdb, off, false",
    "TORCH, hashmap, off, false",
    "TORCH, rocksdb, on, true"
  })
  void syncEndsAsAnUndisturbedRunWouldAfter21Failures(
      TestEngine engine, String backend, String standardize, boolean direct) throws Exception {
    // A third more than 21 faults need on average: how long the stream lasts isn't what is tested.
    produce(16_000);
    syncEndsAsAnUndisturbedRunWould(engine, backend, standardize, direct, 21, 60);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "DL4J, hashmap, false",
    "DL4J, rocksdb, true",
    "TORCH, hashmap, true",
    "TORCH, rocksdb, false"
  })
  void overlapLearnsFromEachRecordOnceOver21Failures(
      TestEngine engine, String backend, boolean direct) throws Exception {
    produce(24_000);
    overlapLearnsFromEachRecordOnce(engine, backend, direct, 21, 12);
  }

  private void produce(int each) throws Exception {
    perPartition = each;
    topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      List<byte[]> values = new ArrayList<>(Blobs.encode(new Blobs(partition).next(each)));
      for (int offset = 5; offset < each; offset += 13) {
        values.set(offset, BAD);
      }
      Broker.produce(topic, partition, values);
    }
  }

  private void syncEndsAsAnUndisturbedRunWould(
      TestEngine engine,
      String backend,
      String standardize,
      boolean direct,
      int count,
      int meanSteps)
      throws Exception {
    Job undisturbed = job("undisturbed", engine, backend, "sync", standardize, !direct).run();

    Job disturbed =
        disturb(job("disturbed", engine, backend, "sync", standardize, direct), count, meanSteps);

    assertTookAll(disturbed);
    assertThat(disturbed.trained().vector()).isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().prequential())
        .isEqualTo(undisturbed.description().prequential());
    assertThat(disturbed.description().standardizationCount())
        .isEqualTo(standardize.equals("on") ? learnedRecords() : 0);
    assertThat(disturbed.description().version().generation()).isPositive();
  }

  private void overlapLearnsFromEachRecordOnce(
      TestEngine engine, String backend, boolean direct, int count, int meanSteps)
      throws Exception {
    Job job = disturb(job("overlap", engine, backend, "overlap", "on", direct), count, meanSteps);

    assertTookAll(job);
    assertThat(job.description().prequential().examples()).isEqualTo(learnedRecords());
    assertThat(job.description().standardizationCount()).isEqualTo(learnedRecords());
  }

  private Job job(
      String name,
      TestEngine engine,
      String backend,
      String schedule,
      String standardize,
      boolean direct) {
    return new Job(topic, directory.resolve(name))
        .engine(engine)
        .parallelism(REPLICAS)
        .backend(backend)
        .set("input.standardize", standardize)
        .set("exchange.schedule", schedule)
        .set("exchange.local-steps", delay == 0 ? "3" : "6")
        .set("exchange.delay", Integer.toString(delay))
        .handsOver(direct);
  }

  /** Faults come after {@code meanSteps} passes of the place whose turn it is, on average. */
  private static Job disturb(Job job, int count, int meanSteps) throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, count, meanSteps);
    job.faults(faults).run();
    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(count);
    return job;
  }

  private void assertTookAll(Job job) throws Exception {
    job.assertTookAll(topic, perPartition, perPartition);
    assertThat(job.description().ledger())
        .allSatisfy(entry -> assertThat(entry.rejected().count()).isEqualTo(badRecords()));
  }

  private long learnedRecords() {
    return (long) REPLICAS * (perPartition - badRecords());
  }

  private int badRecords() {
    return (perPartition - 5 + 12) / 13;
  }
}
