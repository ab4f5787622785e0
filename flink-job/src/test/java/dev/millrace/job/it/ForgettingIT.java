package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that stay near older ones, and are measured by segment of what they were taught. */
class ForgettingIT {

  private static final int PARTITIONS = 2;
  private static final int PER_PARTITION = 2_000;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 20;
  private static final SegmentRule RULE = new SegmentRule(Kind.CLASS, 0.01, 1, 200);

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
  }

  @EachEngine
  void inStepFailuresChangeNoBitOfTheModelNorWhatIsMeasured(TestEngine engine) throws Exception {
    Job free = plain("free", engine).run();
    Job undisturbed = job("undisturbed", engine).run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = job("disturbed", engine).faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    assertHeldOutOnce(disturbed);
    assertTellsLayers(disturbed);
    assertThat(disturbed.trained().vector())
        .as("seed %d", seed)
        .isEqualTo(undisturbed.trained().vector())
        .isNotEqualTo(free.trained().vector());
    JsonNode last = last(disturbed);
    assertThat(withoutVersion(last))
        .as("seed %d", seed)
        .isEqualTo(withoutVersion(last(undisturbed)));
    assertThat(last.get("segments")).hasSize(3);
    // Of three classes; how good it is depends on the engine and on what was held out.
    assertThat(last.get("accuracy").asDouble()).isGreaterThan(0.4);
    assertMeasuresWhatIsHeldOut(last);
  }

  @Test
  void eachRecordIsHeldOutOnceWhateverTheNumberOfReplicas() throws Exception {
    Job job = job("rescaled", TestEngine.DL4J).set("input.bounded", "false");
    job.set("batch.max-wait", "50 ms").set("forgetting.every", "300");

    String atTwo = runPartly(job.parallelism(2), 500);
    String atThree = runPartly(job.parallelism(3).from(atTwo), job.taken() + 500);
    long learned = PARTITIONS * PER_PARTITION - heldOut(0).count() - heldOut(1).count();
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == learned);
    job.stop(client, true);

    assertTellsTheJob(job);
    assertHeldOutOnce(job);
    assertMeasuresWhatIsHeldOut(last(job));
  }

  /** Each submission, the checkpoints of its savepoints, and how far behind its sources are. */
  private static void assertTellsTheJob(Job job) throws Exception {
    List<JsonNode> runs = job.metrics("run");
    assertThat(runs)
        .extracting(run -> run.get("replicas").asInt(), run -> run.get("restored").asBoolean())
        .containsExactly(tuple(2, false), tuple(3, true), tuple(1, true));
    assertThat(runs.get(0).at("/options/forgetting.every").asText()).isEqualTo("300");
    assertThat(runs.get(0).at("/defaults/metrics.timeline").asText()).isEqualTo("false");
    assertThat(job.metrics("confusion")).last().satisfies(ForgettingIT::assertHasClasses);
    assertThat(job.metrics("progress"))
        .anySatisfy(
            progress -> {
              assertThat(progress.path("duration").asDouble()).isPositive();
              assertThat(progress.path("bytes").asLong()).isPositive();
              assertThat(progress.path("lag").asLong()).isPositive();
              assertThat(progress.path("pending").asLong()).isPositive();
              assertThat(progress.path("staleness").asInt(-1)).isNotNegative();
            });
  }

  private static void assertHasClasses(JsonNode confusion) {
    int counted = 0;
    for (JsonNode row : confusion.get("counts")) {
      for (JsonNode count : row) {
        counted += count.asInt();
      }
    }
    assertThat(counted).isBetween(1, 1_000);
  }

  /** The last layer is the output, of which there are no units to tell of. */
  private static void assertTellsLayers(Job job) throws Exception {
    List<JsonNode> records = job.metrics("layers");
    assertThat(records).hasSizeGreaterThan(3);
    JsonNode layer = records.get(records.size() - 1).get("layers").get(0);
    assertThat(layer.get("units").asInt()).isEqualTo(16);
    assertThat(layer.get("deadShare").asDouble()).isBetween(0.0, 0.9);
    assertThat(layer.get("effectiveRank").asDouble()).isBetween(1.0, 16.0);
    assertThat(layer.get("weightNorm").asDouble()).isPositive();
    assertThat(records)
        .anySatisfy(
            record ->
                assertThat(record.get("layers").get(0).path("updateRatio").asDouble())
                    .isPositive());
  }

  private String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.faults(SlowSteps.slowerAfter(60)).start();
    job.await(() -> job.taken() >= atLeast);
    return job.stop(client, false);
  }

  private void assertHeldOutOnce(Job job) throws Exception {
    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    for (PartitionProgress entry : job.description().ledger()) {
      assertThat(entry.heldOut().count()).isEqualTo(heldOut(entry.partition()).count());
      assertThat(entry.heldOut().sum()).isEqualTo(heldOut(entry.partition()).sum());
    }
  }

  /** Each class has examples; what was held out after the last evaluation is in none. */
  private static void assertMeasuresWhatIsHeldOut(JsonNode record) {
    int examples = 0;
    for (JsonNode segment : record.get("segments")) {
      assertThat(segment.get("examples").asInt()).isPositive();
      examples += segment.get("examples").asInt();
    }
    assertThat((long) examples).isLessThanOrEqualTo(heldOut(0).count() + heldOut(1).count());
  }

  private static LongStream heldOut(int partition) {
    return LongStream.range(0, PER_PARTITION)
        .filter(offset -> RULE.holdsOut(new Partition(topic, partition), offset));
  }

  private static JsonNode last(Job job) throws Exception {
    List<JsonNode> records = job.metrics("segments");
    return records.get(records.size() - 1);
  }

  private static JsonNode withoutVersion(JsonNode record) {
    ObjectNode rest = record.deepCopy();
    rest.remove(List.of("time", "generation"));
    // The best so far depends on which models a failure let be measured.
    rest.remove("forgetting");
    rest.get("segments").forEach(segment -> ((ObjectNode) segment).remove("forgetting"));
    return rest;
  }

  private Job plain(String name, TestEngine engine) {
    return new Job(topic, directory.resolve(name)).engine(engine).set("exchange.schedule", "sync");
  }

  private Job job(String name, TestEngine engine) {
    return plain(name, engine)
        .set("forgetting.older-model", "periodic")
        .set("forgetting.every", "500")
        .set("forgetting.strength", "0.01")
        .set("forgetting.importance", "fisher")
        .set("evaluation.segments", "class")
        .set("metrics.interval", "10 ms")
        .set("evaluation.every", "20");
  }
}
