package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vocabularies and means are learned exactly once, as the model is. */
@Tag("slow")
class LearnedWordsIT {

  private static final int PARTITIONS = 3;
  private static final int PER_PARTITION = 1_500;
  private static final int FAULTS = 7;
  private static final int MEAN_STEPS = 14;

  private static final String FIELDS =
      """
      [{"path": "flow.duration", "kind": "number", "indicator": true},
       {"path": "flow.bytes", "kind": "number", "scale": "logarithm"},
       {"path": "service", "kind": "category", "words": %s},
       {"path": "host", "kind": "category", "words": 4, "encode": "id"},
       {"path": "status", "role": "label"}]
      """;

  /** How often each service is in the topic; the missing ones under the empty word. */
  private static final Map<String, Long> SERVICES = new HashMap<>();

  private static long durations;
  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    Random random = new Random(7);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (int i = 0; i < PER_PARTITION; i++) {
        records.add(record(random).getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
  }

  private static String record(Random random) {
    boolean fraud = random.nextBoolean();
    int kind = (int) Math.abs(random.nextGaussian() * 6) + (fraud ? 3 : 0);
    String service = kind == 5 ? null : "service-" + kind;
    SERVICES.merge(service == null ? "" : service, 1L, Long::sum);
    boolean hasDuration = random.nextInt(4) > 0;
    durations += hasDuration ? 1 : 0;
    return "{\"flow\":{%s\"bytes\":%s},\"service\":%s,\"host\":\"h%s\",\"status\":\"%s\"}"
        .formatted(
            hasDuration ? "\"duration\":" + (random.nextGaussian() + (fraud ? 2 : 0)) + "," : "",
            Math.exp(random.nextGaussian() * 3),
            service == null ? "null" : "\"" + service + "\"",
            random.nextInt(6),
            fraud ? "fraud" : "normal");
  }

  @Test
  void inStepFailuresChangeNoBitOfThemNorOfTheModel() throws Exception {
    Job undisturbed = job("undisturbed", 6).run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);

    Job disturbed = job("disturbed", 6).backend("rocksdb").faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %s", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    assertThat(bytes(disturbed)).as("seed %s", seed).isEqualTo(bytes(undisturbed));
    assertThat(disturbed.trained().vector())
        .as("seed %s", seed)
        .containsExactly(undisturbed.trained().vector());
    assertThat(disturbed.description().prequential())
        .as("seed %s", seed)
        .isEqualTo(undisturbed.description().prequential());
    assertThat(disturbed.description().prequential().auc()).isBetween(0.52, 1.0);
    LearnedFeatures learned = learned(disturbed);
    assertThat(learned.vocabularies().of(0).size()).isEqualTo(6);
    assertThat(learned.vocabularies().counts().seen(0))
        .isEqualTo((long) PARTITIONS * PER_PARTITION - SERVICES.get(""));
  }

  /** More places than services, so that the count of each is kept to the end. */
  @Test
  void everyWordIsCountedOnceWhateverTheNumberOfReplicas() throws Exception {
    Job job = job("rescaled", 50).set("input.bounded", "false").set("batch.max-wait", "50 ms");

    String atTwo = runPartly(job.parallelism(2), 400);
    String atThree = runPartly(job.parallelism(3).from(atTwo), job.taken() + 400);
    assertRefusesOtherFields(job, atThree);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == (long) PARTITIONS * PER_PARTITION);
    job.stop(client, true);

    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    LearnedFeatures learned = learned(job);
    WordCounts counts = learned.vocabularies().counts();
    SERVICES.forEach(
        (service, count) ->
            assertThat(service.isEmpty() ? counts.missing(0) : counts.count(0, service))
                .as("service '%s'", service)
                .isEqualTo(count));
    assertThat(learned.statistics().count()).isEqualTo(PARTITIONS * PER_PARTITION);
    assertThat(learned.statistics().count(0)).isEqualTo(durations);
    assertThat(learned.statistics().count(1)).isEqualTo(PARTITIONS * PER_PARTITION);
    // There is one only where the score of each example is counted, once.
    assertThat(job.description().prequential().auc()).isBetween(0.52, 1.0);
  }

  private static void assertRefusesOtherFields(Job job, String savepoint) {
    String renamed = FIELDS.formatted(50).replace("flow.bytes", "flow.octets");
    job.set("input.fields", renamed).from(savepoint);
    assertThatThrownBy(job::start).hasMessageContainingAll("field 2", "flow.bytes", "flow.octets");
    job.set("input.fields", FIELDS.formatted(50));
  }

  private String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.faults(SlowSteps.slowerAfter(50)).start();
    job.await(() -> job.taken() >= atLeast);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).isLessThan((long) PARTITIONS * PER_PARTITION);
    return savepoint;
  }

  private Job job(String name, int services) {
    return new Job(topic, directory.resolve(name))
        .parallelism(PARTITIONS)
        .unset("input.features")
        .unset("input.outputs")
        .set("input.format", "json")
        .set("input.fields", FIELDS.formatted(services))
        .set("input.classes", "normal;fraud")
        .set("exchange.schedule", "sync");
  }

  private static LearnedFeatures learned(Job job) throws Exception {
    return job.trained().learned().orElseThrow();
  }

  private static byte[] bytes(Job job) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LearnedFeatures.WIRE.write(learned(job), new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
