package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.source.RecreatedTopicException;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that is deleted and made again while its job runs, and between two runs. */
class RecreatedTopicJobIT {

  private static final int LEARNED = 8 * 10;

  @TempDir Path directory;

  @Test
  void theJobFailsForGoodAndGoesOnIfItIsToldTo() throws Exception {
    String topic = Broker.topic("recreated", 1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(LEARNED)));
    Attempts attempts = new Attempts();
    Job job = job(topic).restarts(20).faults(attempts);
    JobClient client = job.start();
    job.await(() -> job.taken() == LEARNED);
    String savepoint = job.stop(client, false);
    String old = Broker.topicId(topic);

    // More than were read of the old one: nothing but the id tells.
    int more = LEARNED + 8 * 3;
    Broker.recreate(topic, 1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(more)));
    String made = Broker.topicId(topic);

    assertThat(job(topic).from(savepoint).looked().problems())
        .singleElement()
        .isInstanceOf(RecreatedTopicException.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains(topic, old, made, "to offset %s".formatted(LEARNED));
    Attempts one = new Attempts();
    assertThatThrownBy(() -> job(topic).restarts(20).faults(one).fromUnseen(savepoint).run())
        .hasStackTraceContaining("was deleted and made again: its id was " + old);
    assertThat(one.count()).isEqualTo(1);

    Job anew =
        job(topic)
            .set("input.on-recreated-topic", "earliest")
            .set("input.bounded", "true")
            .from(savepoint)
            .run();

    assertThat(anew.description().ledger())
        .extracting(
            PartitionProgress::topicId,
            entry -> entry.learned().count(),
            entry -> entry.learned().first(),
            entry -> entry.learned().last())
        .containsExactlyInAnyOrder(
            tuple(old, (long) LEARNED, 0L, LEARNED - 1L), tuple(made, (long) more, 0L, more - 1L));
  }

  @Test
  void aJobThatRunsBeginsWithTheNewTopicIfItIsToldTo() throws Exception {
    String topic = Broker.topic("meanwhile", 1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(LEARNED)));
    Job job =
        job(topic)
            .restarts(Integer.MAX_VALUE)
            .set("kafka.partition.discovery.interval.ms", "200")
            .set("input.on-recreated-topic", "earliest");
    JobClient client = job.start();
    job.await(() -> job.taken() == LEARNED);
    String old = Broker.topicId(topic);

    int more = LEARNED + 8 * 3;
    Broker.recreate(topic, 1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(more)));

    job.await(() -> job.taken() == LEARNED + more);
    job.stop(client, false);
    assertThat(job.description().ledger())
        .extracting(PartitionProgress::topicId, entry -> entry.learned().count())
        .containsExactlyInAnyOrder(
            tuple(old, (long) LEARNED), tuple(Broker.topicId(topic), (long) more));
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .parallelism(1)
        .set("input.bounded", "false")
        .set("batch.max-wait", "100 ms");
  }
}
