package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes a record, from its append in Kafka, to be in a published model that a reader
 * finds: LeNet, batch 32, two replicas, a contribution every 3 steps, a model published every
 * round, at half of the rate that the job can take. {@code -Dmillrace.freshness.seconds} says how
 * long.
 */
class FreshnessBenchmark {

  private static final int SECONDS = Integer.getInteger("millrace.freshness.seconds", 180);
  private static final int PARTITIONS = 2;
  private static final int WARM_UP_SECONDS = 20;

  @TempDir Path directory;

  /** Per partition and offset: when it was sent, and when the first model with it was found. */
  private final long[][] sent = new long[PARTITIONS][];

  private final long[][] found = new long[PARTITIONS][];

  @Test
  void recordsAreInAPublishedModelWithinASecond() throws Exception {
    List<byte[]> records = new Images(400).records();
    double rate = fullRate(records) / 2;
    int perPartition = (int) (rate * (WARM_UP_SECONDS + SECONDS) / PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      sent[partition] = new long[perPartition];
      found[partition] = new long[perPartition];
    }
    String topic = Broker.topic(PARTITIONS);
    Broker.produce(topic, 0, records.subList(0, 1));
    Broker.produce(topic, 1, records.subList(0, 1));
    Job job =
        Lenet.job(topic, directory.resolve("fresh"))
            .set("input.bounded", "false")
            .set("snapshot.rounds", "1");
    JobClient client = job.start();
    Thread producer = new Thread(() -> produce(topic, records, rate, perPartition));
    producer.start();
    watch(job, producer);
    job.cancel(client);

    long[] fresh = freshness(rate);
    System.out.printf(
        "at %.0f examples/s, over %d s, %,d records: p50 %d ms, p99 %d ms, most %d ms%n",
        rate,
        SECONDS,
        fresh.length,
        quantile(fresh, 0.5),
        quantile(fresh, 0.99),
        fresh[fresh.length - 1]);
    assertThat(quantile(fresh, 0.99)).as("p99 in milliseconds").isLessThanOrEqualTo(1000);
  }

  /** Of a topic that is full. */
  private double fullRate(List<byte[]> records) throws Exception {
    String topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(topic, partition, records.subList(0, records.size() / 2));
    }
    Job job = Lenet.job(topic, directory.resolve("full")).set("snapshot.rounds", "1").run();
    List<JsonNode> reports = job.metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    double rate =
        (last.get("examples").asLong() - first.get("examples").asLong())
            * 1e3
            / (last.get("time").asLong() - first.get("time").asLong());
    System.out.printf("full rate, each round published: %.0f examples/s%n", rate);
    return rate;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A lost record would never be found.
  private void produce(String topic, List<byte[]> records, double rate, int perPartition) {
    Map<String, Object> client =
        Map.of("bootstrap.servers", Broker.cluster().bootstrapServers(), "linger.ms", "0");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      long start = System.nanoTime();
      // Offset 0 of each partition was there before.
      for (int i = 0; i < PARTITIONS * (perPartition - 1); i++) {
        long due = start + (long) (i * 1e9 / rate);
        LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
        int partition = i % PARTITIONS;
        sent[partition][i / PARTITIONS + 1] = System.nanoTime();
        producer.send(
            new ProducerRecord<>(topic, partition, null, records.get(i % records.size())));
      }
    }
  }

  private void watch(Job job, Thread producer) throws Exception {
    String newest = "";
    long[] next = {1, 1};
    while (producer.isAlive()) {
      Optional<LatestSnapshot> latest = Optional.empty();
      try {
        latest = LatestSnapshot.find(job.models());
      } catch (java.io.IOException e) {
        // Deleted between pointer and description.
      }
      if (latest.isPresent() && !latest.get().description().version().toString().equals(newest)) {
        SnapshotDescription description = latest.get().description();
        newest = description.version().toString();
        long now = System.nanoTime();
        for (PartitionProgress entry : description.ledger()) {
          int partition = entry.partition();
          Long last = entry.learned().last();
          for (; last != null && next[partition] <= last; next[partition]++) {
            found[partition][(int) next[partition]] = now;
          }
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> job.taken() > 0);
  }

  /** Without the first and last seconds, sorted, in milliseconds. */
  private long[] freshness(double rate) {
    int skipped = (int) (rate / PARTITIONS * WARM_UP_SECONDS);
    int tail = (int) (rate / PARTITIONS * 3);
    long[] all =
        java.util.stream.IntStream.range(0, PARTITIONS)
            .boxed()
            .flatMapToLong(
                partition ->
                    java.util.stream.IntStream.range(skipped, sent[partition].length - tail)
                        .mapToLong(
                            offset ->
                                found[partition][offset] == 0
                                    ? Long.MAX_VALUE
                                    : (found[partition][offset] - sent[partition][offset])
                                        / 1_000_000))
            .toArray();
    Arrays.sort(all);
    return all;
  }

  private static long quantile(long[] sorted, double q) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  }
}
