package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.example.Example;
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
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.Measures;
import dev.millrace.model.Partition;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All that helps learning which never ends, at once: each part alone is exact, and so are all. */
@Tag("slow")
class EverythingOnIT {

  private static final int PARTITIONS = 3;
  private static final int PER_PARTITION = 1_000;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 12;
  private static final SegmentRule RULE = new SegmentRule(Kind.CLASS, 0.01, 1, 200);

  @TempDir Path directory;

  private static String topic;

  /** In the midst of the topic classes change their names. */
  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = new Blobs(31 + partition).next(PER_PARTITION);
      for (Example example : examples.subList(PER_PARTITION / 2, PER_PARTITION)) {
        example.setClass((Measures.greatest(example.labels(), 0, 3) + 1) % 3);
      }
      Broker.produce(topic, partition, Blobs.encode(examples));
    }
  }

  @ParameterizedTest
  @CsvSource({"DL4J, average", "TORCH, newest"})
  void inStepFailuresChangeNoBit(TestEngine engine, String parameters) throws Exception {
    Job undisturbed =
        job("undisturbed", engine, "sync").set("snapshot.parameters", parameters).run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed =
        job("disturbed", engine, "sync")
            .set("snapshot.parameters", parameters)
            .backend("rocksdb")
            .faults(faults)
            .run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    assertTookAllOnce(disturbed);
    assertThat(drifts(undisturbed)).anySatisfy(at -> assertThat(at).isGreaterThan(learned() / 2));
    assertThat(drifts(disturbed)).as("seed %d", seed).isEqualTo(drifts(undisturbed));
    ArchivedModel model = disturbed.trained();
    assertThat(model.vector()).as("seed %d", seed).containsExactly(undisturbed.trained().vector());
    assertThat(disturbed.description().prequential())
        .as("seed %d", seed)
        .isEqualTo(undisturbed.description().prequential());
    assertThat(disturbed.description().engine()).isEqualTo(PopulationEngine.NAME);
    assertThat(segments(disturbed)).as("seed %d", seed).isEqualTo(segments(undisturbed));
  }

  @EachEngine
  void eachRecordIsTakenOnceWhateverFailsAndAtAnyNumberOfReplicas(TestEngine engine)
      throws Exception {
    long seed = Seeds.next();
    Job job =
        job("rescaled", engine, "overlap")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "200");

    String atTwo = runPartly(job.parallelism(2), seed, 400);
    String atThree = runPartly(job.parallelism(3).from(atTwo), seed + 1, job.taken() + 400);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == learned());
    job.stop(client, true);

    assertTookAllOnce(job);
    assertThat(job.description().prequential().examples()).as("seed %d", seed).isEqualTo(learned());
    assertThat(job.description().standardizationCount()).as("seed %d", seed).isEqualTo(learned());
    assertThat(drifts(job)).anySatisfy(at -> assertThat(at).isGreaterThan(learned() / 2));
  }

  /** Stops the job, after failures, while there is more to take. */
  private static String runPartly(Job job, long seed, long atLeast) throws Exception {
    SeededFaults faults = new SeededFaults(seed, 3, MEAN_STEPS);
    JobClient client = job.faults(slow(faults)).start();
    job.await(() -> faults.thrown() == 3 && job.taken() >= atLeast);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).as("seed %d", seed).isLessThan(learned());
    return savepoint;
  }

  private static FaultInjector slow(FaultInjector faults) {
    FaultInjector slow = SlowSteps.slowerAfter(80);
    return (place, index) -> {
      slow.reach(place, index);
      faults.reach(place, index);
    };
  }

  private void assertTookAllOnce(Job job) throws Exception {
    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    for (PartitionProgress entry : job.description().ledger()) {
      assertThat(entry.heldOut().count()).isEqualTo(heldOut(entry.partition()).count());
      assertThat(entry.heldOut().sum()).isEqualTo(heldOut(entry.partition()).sum());
    }
  }

  private static long learned() {
    long learned = PARTITIONS * PER_PARTITION;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      learned -= heldOut(partition).count();
    }
    return learned;
  }

  private static LongStream heldOut(int partition) {
    return LongStream.range(0, PER_PARTITION)
        .filter(offset -> RULE.holdsOut(new Partition(topic, partition), offset));
  }

  /** After how many examples drifts were found. A round that a failure takes back tells again. */
  private static Set<Long> drifts(Job job) throws Exception {
    List<JsonNode> drifts = job.metrics("drift");
    assertThat(drifts).anySatisfy(drift -> assertThat(drift.get("reacted").asBoolean()).isTrue());
    return drifts.stream().map(drift -> drift.get("examples").asLong()).collect(Collectors.toSet());
  }

  /** The last measurement, but for what depends on which models a failure let be measured. */
  private static JsonNode segments(Job job) throws Exception {
    List<JsonNode> records = job.metrics("segments");
    ObjectNode last = records.get(records.size() - 1).deepCopy();
    last.remove(List.of("time", "generation", "forgetting"));
    assertThat(last.get("segments")).hasSize(3);
    last.get("segments").forEach(segment -> ((ObjectNode) segment).remove("forgetting"));
    return last;
  }

  private Job job(String name, TestEngine engine, String schedule) {
    Job job = new Job(topic, directory.resolve(name)).engine(engine);
    if (engine == TestEngine.TORCH) {
      job.set("model.updater", "adamw");
    }
    return job.parallelism(PARTITIONS)
        .set("exchange.schedule", schedule)
        .set("input.standardize", "on")
        .set("input.label-lags", "2")
        .set("model.population.learning-rates", "0.003;0.01;0.001")
        .set("model.population.replay", "0;4;8")
        .set("replay.size", "200")
        .set("replay.keep", "class-balanced")
        .set("replay.share", "0.5")
        .set("replay.half-life", "1 min")
        .set("replay.distillation", "0.25")
        .set("drift.detector", "adwin;kswin;page-hinkley")
        .set("drift.features", "adwin")
        .set("drift.reaction", "more-rounds;smaller-batches;publish")
        .set("drift.examples", "400")
        .set("forgetting.older-model", "drift")
        .set("forgetting.strength", "0.01")
        .set("forgetting.importance", "fisher")
        .set("exchange.ema.half-life", "500")
        .set("evaluation.window", "200")
        .set("evaluation.segments", "class")
        .set("evaluation.every", "20");
  }
}
