package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.example.Example;
import dev.millrace.job.score.LiveScorer;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.testing.Job;
import dev.millrace.job.updates.UpdateLedgers;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes a record, from its append in Kafka, to be in what others have: LeNet, batch 32,
 * two replicas, at half of the rate that the job can take. {@code -Dmillrace.freshness.seconds}
 * says how long.
 */
class FreshnessBenchmark {

  private static final int SECONDS = Integer.getInteger("millrace.freshness.seconds", 180);
  private static final int PARTITIONS = 2;
  private static final int WARM_UP_SECONDS = 20;

  private static final String WAIT = System.getProperty("millrace.freshness.wait", "20 ms");

  @TempDir Path directory;

  /** Per partition and offset: when it was sent, and when the first model with it was found. */
  private final long[][] sent = new long[PARTITIONS][];

  private final long[][] found = new long[PARTITIONS][];

  /** A contribution every 3 steps, and a whole model published every round. */
  @Test
  void recordsAreInAPublishedModelWithinASecond() throws Exception {
    long[] fresh =
        measure((topic, place) -> Lenet.job(topic, place).set("snapshot.rounds", "1"), this::watch);
    assertThat(quantile(fresh, 0.99)).as("p99 in milliseconds").isLessThanOrEqualTo(1000);
  }

  /**
   * In a prediction, with updates between whole models: minibatches wait 20 ms at most, each is a
   * contribution, and there are up to 20 updates a second.
   */
  @Test
  void recordsAreInAPredictionSoon() throws Exception {
    String updates = "updates-" + UUID.randomUUID();
    measure(
        (topic, place) ->
            Lenet.job(topic, place)
                .set("batch.max-wait", WAIT)
                .set("exchange.local-steps", "1")
                .set("snapshot.interval", "10 s")
                .set("updates.topic", updates)
                .set("updates.interval", "50 ms"),
        (job, producer) -> predict(job, producer, updates));
  }

  private interface Watching {
    void watch(Job job, Thread producer) throws Exception;
  }

  private long[] measure(BiFunction<String, Path, Job> jobs, Watching watching) throws Exception {
    List<byte[]> records = new Images(400).records();
    double rate = fullRate(records, jobs) / 2;
    int perPartition = (int) (rate * (WARM_UP_SECONDS + SECONDS) / PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      sent[partition] = new long[perPartition];
      found[partition] = new long[perPartition];
    }
    String topic = Broker.topic(PARTITIONS);
    Broker.produce(topic, 0, records.subList(0, 1));
    Broker.produce(topic, 1, records.subList(0, 1));
    Job job = jobs.apply(topic, directory.resolve("fresh")).set("input.bounded", "false");
    JobClient client = job.start();
    Thread producer = new Thread(() -> produce(topic, records, rate, perPartition));
    producer.start();
    watching.watch(job, producer);
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
    return fresh;
  }

  /** Of a topic that is full. */
  private double fullRate(List<byte[]> records, BiFunction<String, Path, Job> jobs)
      throws Exception {
    String topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(topic, partition, records.subList(0, records.size() / 2));
    }
    Job job = jobs.apply(topic, directory.resolve("full")).run();
    List<JsonNode> reports = job.metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    double rate =
        (last.get("examples").asLong() - first.get("examples").asLong())
            * 1e3
            / (last.get("time").asLong() - first.get("time").asLong());
    System.out.printf("full rate: %.0f examples/s%n", rate);
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
          Long last = entry.learned().last();
          note(next, entry.partition(), last == null ? -1 : last, now);
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> job.taken() > 0);
  }

  private void note(long[] next, int partition, long last, long now) {
    for (; next[partition] <= last; next[partition]++) {
      found[partition][(int) next[partition]] = now;
    }
  }

  /** Predicts for one example after the other, and sees which version does. */
  private void predict(Job job, Thread producer, String updates) throws Exception {
    Configuration options = new Configuration();
    options.setString("kafka.bootstrap.servers", Broker.cluster().bootstrapServers());
    options.setString("updates.topic", updates);
    options.setString("model.engine", Lenet.engine().option());
    options.setString("scoring.models", job.models().toString());
    long[] next = {1, 1};
    int swaps = 0;
    try (UpdateLedgers ledgers = new UpdateLedgers(Broker.cluster(), updates);
        LiveScorer scorer =
            LiveScorer.open(
                ScoringSetup.models(options),
                ScoringSetup.POLL_INTERVAL,
                Duration.ofMinutes(1),
                DeviceRequest.any(),
                1,
                UnregisteredMetricsGroup.createOperatorMetricGroup())) {
      Example example = new Example(scorer.shape());
      ModelVersion newest = null;
      while (producer.isAlive()) {
        scorer.add(example);
        scorer.predict();
        long now = System.nanoTime();
        Ledger ledger = scorer.version().equals(newest) ? null : ledgers.of(scorer.version());
        if (ledger != null) {
          newest = scorer.version();
          swaps++;
          ledger
              .entries()
              .forEach(
                  (partition, entry) ->
                      note(next, partition.number(), entry.learned().last(), now));
        }
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
      System.out.printf(
          "%d versions predicted, an update has %.0f bytes, %.1f %% of the parameters%n",
          swaps, ledgers.meanBytes(), 100 * ledgers.meanBytes() / (4.0 * job.parameters().length));
    }
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
