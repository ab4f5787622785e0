package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas that have less to learn than others hold nobody up. Every timeout is an hour. */
@Tag("slow")
class UnevenInputIT {

  @TempDir Path directory;

  private final Blobs blobs = new Blobs(3);

  @Test
  void replicasWithoutAPartitionHoldNobodyUp() throws Exception {
    String topic = Broker.topic(1);
    produce(topic, 0, 501);

    Job job = new Job(topic, directory).parallelism(3).run();

    job.assertTookAll(topic, 501);
  }

  /** Those without a partition take no share of a step, nor of a learning rate. */
  @Test
  void manyReplicasOfOnePartitionLearnExactlyWhatOneDoes() throws Exception {
    String topic = Broker.topic(1);
    produce(topic, 0, 501);

    Job one = asDefault(topic, "one").parallelism(1).run();
    Job many = asDefault(topic, "many").parallelism(4).run();

    assertThat(one.warnings()).isEmpty();
    assertThat(many.warnings())
        .singleElement()
        .asString()
        .startsWith("The job has 4 replicas, and its topics have 1 partition:")
        .endsWith("or -p 1");
    assertThat(many.description().version()).isEqualTo(one.description().version());
    assertThat(many.parameters()).isEqualTo(one.parameters());
  }

  /** The others have no share in what a push changes rows by. */
  @Test
  void manyReplicasOfOnePartitionLearnTheSameRowsAsOneDoes() throws Exception {
    String topic = Broker.topic(1);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      int user = i * 31 % 50;
      records.add("{\"user\":%s,\"clicked\":%s}".formatted(user, user % 2).getBytes(UTF_8));
    }
    Broker.produce(topic, 0, records);

    Job one = withIds(topic, "one").parallelism(1).run();
    Job many = withIds(topic, "many").parallelism(4).run();

    assertThat(many.trained().vector()).containsExactly(one.trained().vector());
  }

  private Job withIds(String topic, String name) {
    return asDefault(topic, name)
        .engine(TestEngine.DL4J)
        .unset("input.features")
        .set("input.format", "json")
        .set(
            "input.fields",
            "[{\"path\":\"user\",\"kind\":\"id\",\"table\":\"users\",\"dimension\":4},"
                + "{\"path\":\"clicked\",\"role\":\"label\"}]")
        .set("input.outputs", "2")
        .set("rows.prefetch", "0");
  }

  private Job asDefault(String topic, String name) {
    return new Job(topic, directory.resolve(name))
        .set("batch.size", "32")
        .unset("batch.local-size")
        .unset("exchange.learning-rate-scaling");
  }

  @Test
  void aPartitionThatEndsEarlyHoldsNobodyUp() throws Exception {
    String topic = Broker.topic(3);
    produce(topic, 0, 3);
    produce(topic, 1, 1001);

    Job job = new Job(topic, directory).parallelism(3).run();

    job.assertTookAll(topic, 3, 1001, 0);
  }

  @Test
  void aBatchThatNeverFillsIsClosedByItsMaximumWait() throws Exception {
    String topic = Broker.topic(1);
    produce(topic, 0, 5);
    Job job = unbounded(topic).parallelism(1).set("batch.local-size", "64");

    JobClient client = job.start();

    job.await(() -> job.taken() == 5);
    job.cancel(client);
  }

  @Test
  void anIdleReplicaIsNotWaitedForAndComesBack() throws Exception {
    String topic = Broker.topic(2);
    produce(topic, 0, 1000);
    produce(topic, 1, 16);
    Job job = unbounded(topic);

    JobClient client = job.start();
    awaitMembers(job, 100, 1);

    // The one that was busy goes idle, and the other works alone.
    job.await(() -> job.taken() == 1016);
    produce(topic, 1, 1000);
    awaitMembers(job, 1_116, 1);

    // Both again. One may learn all that it has before the other sees any, so more comes then.
    AtomicInteger more = new AtomicInteger();
    job.await(
        () -> {
          more.addAndGet(500);
          produceInTurns(topic, 500);
          return isMade(job, 2_016, 2);
        });
    job.await(() -> job.taken() == 2_016 + 2 * more.get());
    job.stop(client, true);
    job.assertTookAll(topic, 1_000 + more.get(), 1_016 + more.get());
  }

  @Test
  void aBurstIsLearnedFromWhileOtherPartitionsGoOn() throws Exception {
    String topic = Broker.topic(2);
    Job job = unbounded(topic);
    produce(topic, 0, 32);
    produce(topic, 1, 32);
    JobClient client = job.start();
    job.await(() -> job.taken() == 64);

    produce(topic, 0, 1_600);
    produce(topic, 1, 32);

    job.await(() -> job.taken() == 1_696);
    produce(topic, 0, 32);
    job.await(() -> job.taken() == 1_728);
    job.stop(client, true);
    job.assertTookAll(topic, 1_664, 64);
  }

  /** Waits for a round of so many replicas behind so many examples. */
  private static void awaitMembers(Job job, long behind, int members) {
    job.await(() -> isMade(job, behind, members));
  }

  private static boolean isMade(Job job, long behind, int members) throws IOException {
    return job.metrics("progress").stream()
        .anyMatch(
            report ->
                report.get("examples").asLong() > behind
                    && report.get("members").asInt() == members);
  }

  private Job unbounded(String topic) {
    return new Job(topic, directory)
        .set("input.bounded", "false")
        .set("batch.max-wait", "50 ms")
        .set("metrics.interval", "10 ms");
  }

  private void produce(String topic, int partition, int count) throws Exception {
    Broker.produce(topic, partition, Blobs.encode(blobs.next(count)));
  }

  /** Writes so many to each of two partitions. */
  private void produceInTurns(String topic, int each) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = Broker.producer(Map.of())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (byte[] value : Blobs.encode(blobs.next(2 * each))) {
        sent.add(producer.send(new ProducerRecord<>(topic, sent.size() % 2, null, value)));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }
}
