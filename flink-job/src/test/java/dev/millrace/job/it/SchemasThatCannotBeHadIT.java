package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Orders;
import dev.millrace.job.testing.Scoring;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.registry.testing.SchemaServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records whose schemas a registry refuses, fails to give or never answers for, in jobs. */
class SchemasThatCannotBeHadIT {

  private static final int GOOD = 24;

  /** By id what the registry does, and words of the reason for which records are rejected. */
  private static final Map<Integer, String> REASONS =
      new TreeMap<>(
          Map.of(
              -1, "schema -1 can't be used: no schema has an id below 0",
              403, "schema 403 can't be used: the registry answers for it with status 403, error",
              404, "schema 404 can't be used: the registry has no schema 404",
              422, "schema 422 can't be used: the registry answers for it with status 422",
              500, "schema 500 can't be used: the registry answers for it with status 500",
              504, "schema 504 can't be used: the registry gives no answer for it"));

  @TempDir Path directory;

  private SchemaServer registry;
  private String topic;
  private String letters;

  @BeforeEach
  void produceBadAmongGood() throws Exception {
    registry = SchemaServer.start();
    registry.put(Orders.SCHEMA_ID, Orders.SCHEMA);
    registry.fail("/schemas/ids/403", 403, "{\"error_code\":40301,\"message\":\"denied\"}");
    registry.fail("/schemas/ids/422", 422, "{\"error_code\":42202}");
    registry.fail("/schemas/ids/500", 500, "{\"error_code\":50001}");
    registry.fail("/schemas/ids/504", 0, "");
    topic = Broker.topic("refused", 1);
    letters = Broker.topic(1);
    produce();
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  /** Bad ones first: nothing is known of the registry then. */
  private void produce() throws Exception {
    Random random = new Random(7);
    List<byte[]> values = new ArrayList<>();
    REASONS.keySet().forEach(id -> values.add(Orders.withHeader(id, new byte[9])));
    for (int i = 0; i < GOOD; i++) {
      values.add(Orders.next(random).encode("avro-confluent"));
    }
    Broker.produce(topic, 0, values);
  }

  @Test
  void jobsGoOnWithoutThemAndWaitForARegistryThatAnswersNothing() throws Exception {
    Job job = training();
    JobClient client = job.start();
    job.await(() -> job.taken() == REASONS.size() + GOOD);
    assertReasons(letters);

    // Nothing is said of any schema now: what comes is no dead letter, and waits.
    registry.fail(500);
    byte[] later = Orders.next(new Random(8)).encode("avro-confluent");
    later[4] = 8;
    Broker.produce(topic, 0, List.of(later));
    int asked = registry.requests();
    job.await(() -> registry.requests() >= asked + 4);
    assertThat(job.taken()).isEqualTo(REASONS.size() + GOOD);
    registry.put(8, Orders.SCHEMA);
    registry.fail(0);
    job.await(() -> job.taken() == REASONS.size() + GOOD + 1);
    job.stop(client, true);
    job.assertTookAll(topic, REASONS.size() + GOOD + 1);

    assertScoringGoesOn(job);
  }

  private void assertScoringGoesOn(Job trained) throws Exception {
    String rejected = Broker.topic(1);
    Scoring scoring =
        new Scoring(topic, directory.resolve("scoring"))
            .parallelism(1)
            .set("input.target", "classification")
            .set("input.format", "avro-confluent")
            .set("input.registry.url", registry.url())
            .set("input.fields", Orders.FIELDS)
            .unset("input.features")
            .set("scoring.models", trained.models().toString())
            .set("dead-letter.topic", rejected)
            .run();

    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      await().atMost(Job.LIMIT).until(() -> predictions.read().size() == GOOD + 1);
    }
    assertReasons(rejected);
  }

  private static void assertReasons(String deadLetters) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    await()
        .atMost(Job.LIMIT)
        .until(
            () -> {
              found.clear();
              found.addAll(Broker.read(deadLetters));
              return found.size() == REASONS.size();
            });
    List<String> reasons = List.copyOf(REASONS.values());
    for (int i = 0; i < reasons.size(); i++) {
      assertThat(new String(found.get(i).headers().lastHeader("millrace.reason").value(), UTF_8))
          .as("in the order of the records")
          .startsWith(reasons.get(i));
    }
  }

  private Job training() {
    return new Job(topic, directory)
        .parallelism(1)
        .unset("input.features")
        .set("input.outputs", "2")
        .set("input.fields", Orders.FIELDS)
        .set("input.format", "avro-confluent")
        .set("input.registry.url", registry.url())
        .set("input.bounded", "false")
        .set("batch.max-wait", "100 ms")
        .set("dead-letter.topic", letters);
  }
}
