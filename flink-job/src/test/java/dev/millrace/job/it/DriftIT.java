package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Measures;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes change their names after a third of a topic, and back after two. */
class DriftIT {

  private static final int PARTITIONS = 2;
  private static final int PER_PARTITION = 2_400;
  private static final int CHANGE = PARTITIONS * PER_PARTITION / 3;
  private static final int FAULTS = 5;
  private static final int MEAN_STEPS = 30;

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = new Blobs(11 + partition).next(PER_PARTITION);
      for (Example example : examples.subList(PER_PARTITION / 3, 2 * PER_PARTITION / 3)) {
        example.setClass((Measures.greatest(example.labels(), 0, 3) + 1) % 3);
      }
      Broker.produce(topic, partition, Blobs.encode(examples));
    }
  }

  @Test
  void isFoundOnceAndFollowedAlikeWhateverFails() throws Exception {
    Job undisturbed = job("undisturbed").run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job disturbed = job("disturbed").faults(faults).run();
    Job calm = job("calm").unset("drift.reaction").unset("drift.examples").run();

    List<JsonNode> found = undisturbed.metrics("drift");
    assertThat(found).isNotEmpty();
    assertThat(examples(undisturbed)).allSatisfy(at -> assertThat(at).isGreaterThan(CHANGE));
    JsonNode first = found.get(0);
    assertThat(first.get("examples").asLong()).isLessThan(CHANGE + 500);
    assertThat(first.get("reacted").asBoolean()).isTrue();
    assertThat(first.get("after").asDouble()).isGreaterThan(first.get("before").asDouble());
    assertThat(undisturbed.metrics("snapshot"))
        .as("the model of before")
        .anySatisfy(snapshot -> assertThat(snapshot.get("round")).isEqualTo(first.get("round")));

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    assertThat(examples(disturbed)).as("seed %d", seed).isEqualTo(examples(undisturbed));
    assertThat(disturbed.trained().vector())
        .as("seed %d", seed)
        .containsExactly(undisturbed.trained().vector());
    assertThat(calm.trained().vector()).isNotEqualTo(undisturbed.trained().vector());
  }

  /** A round that a failure takes back may be told again. */
  private static Set<Long> examples(Job job) throws Exception {
    return job.metrics("drift").stream()
        .map(drift -> drift.get("examples").asLong())
        .collect(Collectors.toSet());
  }

  private Job job(String name) {
    return new Job(topic, directory.resolve(name))
        .parallelism(PARTITIONS)
        .set("drift.detector", "adwin;page-hinkley")
        .set("drift.features", "adwin")
        .set("input.standardize", "on")
        .set("drift.reaction", "more-rounds;smaller-batches;publish")
        .set("drift.examples", "600")
        .set("evaluation.window", "200");
  }
}
