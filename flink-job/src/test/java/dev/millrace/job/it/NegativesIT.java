package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that learn clicks alone, with negatives out of their minibatches. */
@Tag("slow")
class NegativesIT {

  private static final int RECORDS = 6_000;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 12;

  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 6, "input": "user"},
       {"path": "age", "kind": "number", "input": "user"},
       {"path": "item", "kind": "id", "table": "items", "dimension": 6, "input": "item"},
       {"path": "clicked", "role": "label"}]
      """;

  @TempDir Path directory;

  /** Users click items of their own kind, of four. */
  private static byte[] click(int user, int item, int clicked, Random random) {
    return "{\"user\":\"u%s\",\"age\":%s,\"item\":\"i%s\",\"clicked\":%s}"
        .formatted(user, random.nextGaussian(), item, clicked)
        .getBytes(UTF_8);
  }

  private static String clicks(int records) throws Exception {
    String topic = Broker.topic(1);
    Random random = new Random(3);
    List<byte[]> clicks = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      int user = random.nextInt(40);
      clicks.add(click(user, 4 * random.nextInt(10) + user % 4, 1, random));
    }
    Broker.produce(topic, 0, clicks);
    return topic;
  }

  /** Half of them clicks, and half any pairs. */
  private static String heldOut() throws Exception {
    String topic = Broker.topic(1);
    Random random = new Random(7);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int user = random.nextInt(40);
      int any = random.nextInt(40);
      records.add(
          click(user, i % 2 == 0 ? 4 * random.nextInt(10) + user % 4 : any, 1 - i % 2, random));
    }
    Broker.produce(topic, 0, records);
    return topic;
  }

  private Job job(TestEngine engine, String topic, String name) {
    return new Job(topic, directory.resolve(name))
        .engine(engine)
        .unset("input.features")
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("model.name", "two-tower")
        .set("model.hidden", "16;8")
        .set("batch.size", "32")
        .set("batch.local-size", "32")
        .set("rows.prefetch", "0")
        .set("exchange.schedule", "sync")
        .parallelism(1);
  }

  @ParameterizedTest
  @EnumSource
  void inStepFailuresChangeNoBitOfTheModel(TestEngine engine) throws Exception {
    String topic = clicks(RECORDS / 2);
    Job undisturbed = job(engine, topic, "undisturbed").set("model.negatives", "3").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed =
        job(engine, topic, "disturbed")
            .set("model.negatives", "3")
            .backend("rocksdb")
            .faults(faults)
            .run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, RECORDS / 2);
    assertThat(disturbed.trained().vector())
        .as("seed %s", seed)
        .containsExactly(undisturbed.trained().vector());
  }

  /** Half of any pairs are of one kind in four, so an AUC of 0.875 is the most. */
  @Test
  void clicksAloneAreLearnedAndEachIsCountedOnce() throws Exception {
    String topic = clicks(RECORDS);
    String others = heldOut();

    Job without = trained(topic, others, "0");
    Job with = trained(topic, others, "4");

    assertThat(auc(without)).isBetween(0.35, 0.65);
    assertThat(auc(with)).isGreaterThan(0.75);
    with.assertTookAll(topic, RECORDS);
    List<JsonNode> told = with.metrics("rows");
    assertThat(told.get(told.size() - 1).path("tables"))
        .hasSize(2)
        .allSatisfy(
            table -> {
              assertThat(table.path("uses").asLong()).isEqualTo(RECORDS);
              assertThat(table.path("rows").asLong()).isEqualTo(40);
            });
    List<JsonNode> progress = with.metrics("progress");
    JsonNode last = progress.get(progress.size() - 1);
    assertThat(last.path("examples").asLong()).isEqualTo(RECORDS);
  }

  private Job trained(String topic, String others, String negatives) throws Exception {
    return job(TestEngine.TORCH, topic, "with" + negatives)
        .set("model.negatives", negatives)
        .set("evaluation.holdout", "topic:" + others)
        .set("rows.topic", "%s-rows-%s".formatted(topic, negatives))
        .set("rows.publish-interval", "20 ms")
        .run();
  }

  private static double auc(Job job) throws Exception {
    List<JsonNode> measured = job.metrics("holdout");
    return measured.get(measured.size() - 1).path("auc").asDouble();
  }
}
