package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that is stopped with a savepoint goes on with more replicas, or with fewer. */
class RescaleIT {

  private static final int PARTITIONS = 4;
  private static final int OTHER = 1_000;

  /** So slow that a job can be stopped before it has taken all. */
  @TempDir Path directory;

  private final Blobs blobs = new Blobs(5);
  private final long[] produced = new long[PARTITIONS];

  @EachEngine
  void everyRecordIsTakenOnceWhateverTheNumberOfReplicas(TestEngine engine) throws Exception {
    everyRecordIsTakenOnce(engine, "overlap", "rocksdb");
  }

  @EachEngine
  @Tag("nightly")
  void everyRecordIsTakenOnceInStep(TestEngine engine) throws Exception {
    everyRecordIsTakenOnce(engine, "sync", "hashmap");
  }

  private void everyRecordIsTakenOnce(TestEngine engine, String schedule, String backend)
      throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Job job =
        new Job(topic, directory)
            .engine(engine)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("exchange.schedule", schedule)
            .backend(backend);
    produce(topic, 1_000);

    String atTwo = runPartly(job.parallelism(2), 300);
    produce(topic, 301);
    String atThree = runPartly(job.parallelism(3).from(atTwo), job.taken() + 300);
    produce(topic, 203);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == LongStream.of(produced).sum());
    job.stop(client, true);

    job.assertTookAll(topic, produced);
    assertThat(job.description().version().generation()).isEqualTo(2);
    assertThat(job.metrics("progress"))
        .isSortedAccordingTo(
            Comparator.<JsonNode>comparingLong(report -> report.get("generation").asLong())
                .thenComparingLong(report -> report.get("round").asLong()));
  }

  /** What waits in the savepoint, contributions and a topic's place, is of the options before. */
  @Test
  void codecAndTopicsMayChangeWithASavepoint() throws Exception {
    String topic = Broker.topic(PARTITIONS);
    String other = Broker.topic(1);
    Job job =
        new Job(topic, directory)
            .set("input.topics", topic + "," + other)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .restarts(0);
    produce(topic, 500);
    Broker.produce(other, 0, Blobs.encode(blobs.next(OTHER)));

    String withBoth = runPartly(job.parallelism(2), 300);
    job.set("input.topics", topic).set("exchange.codec.contributions", "bfloat16").from(withBoth);
    JobClient client = job.start();
    job.await(() -> Broker.positions(topic).equals(ends()));
    String without = job.stop(client, false);
    assertThat(Broker.positions(topic, other).getOrDefault(0, 0L))
        .as("records read of the topic that was left out")
        .isLessThan(OTHER / 2);
    job.set("input.topics", topic + "," + other)
        .set("exchange.codec.contributions", "int8")
        .faults(FaultInjector.NONE)
        .from(without);
    JobClient last = job.start();
    job.await(() -> job.taken() == LongStream.of(produced).sum() + OTHER);
    job.stop(last, true);

    job.assertTookAll(topic, produced);
    job.assertTookAll(other, OTHER);
  }

  /** Stops the job while there is more to take. */
  private String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.faults(SlowSteps.slowerAfter(40)).start();
    job.await(() -> job.taken() >= atLeast);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).isLessThan(ends().values().stream().mapToLong(end -> end).sum());
    return savepoint;
  }

  private void produce(String topic, int count) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int uneven = count + 11 * partition;
      Broker.produce(topic, partition, Blobs.encode(blobs.next(uneven)));
      produced[partition] += uneven;
    }
  }

  private Map<Integer, Long> ends() {
    Map<Integer, Long> ends = new TreeMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      ends.put(partition, produced[partition]);
    }
    return ends;
  }
}
