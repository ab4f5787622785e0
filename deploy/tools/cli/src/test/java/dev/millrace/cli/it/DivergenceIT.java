package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Counters;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replica whose values become NaN or infinite. */
@Tag("slow")
class DivergenceIT {

  private static final int GOOD = 2_000;
  private static final int POISON = 800;

  @TempDir Path directory;

  @Test
  void theOthersTrainOnAndItsRecordsAreAccountedFor() throws Exception {
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(GOOD)));
    Broker.produce(topic, 1, Blobs.encode(poison(POISON)));
    Broker.produce(topic, 1, Blobs.encode(new Blobs(2).next(GOOD)));

    Counters.take("refusals");
    Job job = job(topic).set("guard.max-refusals", "0").run();

    job.assertTookAll(topic, GOOD, POISON + GOOD);
    List<PartitionProgress> ledger = job.description().ledger();
    assertThat(ledger.get(0).rejected().count()).isZero();
    assertThat(ledger.get(1).rejected().count()).isBetween((long) POISON, POISON + 100L);
    float[] parameters = job.parameters();
    for (float parameter : parameters) {
      assertThat(parameter).isFinite();
    }
    // From the start, of three classes.
    assertThat(job.description().prequential().accuracy()).isGreaterThan(0.6);
    assertThat(Counters.take("coordinator", "refusals"))
        .isPositive()
        .isEqualTo(Counters.take("replica", "refusals"));
  }

  /** Finite, and the end of any network all the same, with plain SGD. */
  @Test
  @Tag("nightly")
  void whatChangesTheModelByManyTimesItsSizeIsLeftOut() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(GOOD)));
    Broker.produce(topic, 0, Blobs.encode(filled(8, 1e9f)));
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(GOOD)));

    Job job = job(topic).set("model.updater", "sgd").set("model.learning-rate", "0.05").run();

    job.assertTookAll(topic, GOOD + 8 + GOOD);
    assertThat(job.description().ledger().get(0).rejected().count()).isBetween(8L, 100L);
    for (float parameter : job.parameters()) {
      assertThat(Math.abs(parameter)).isLessThan(100);
    }
    assertThat(job.description().prequential().accuracy()).isGreaterThan(0.6);
  }

  /** Its next contribution, at which it would be refused anyway, is far away. */
  @Test
  void aSavepointHasNothingThatIsNoNumber() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(poison(POISON)));
    Job job =
        job(topic)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("exchange.local-steps", "1000000")
            .set("execution.checkpointing.interval", "1 h")
            .faults(new Steps());
    JobClient client = job.start();
    job.await(() -> Steps.COUNT.get() == POISON / 8);

    ConsumedRecords taken = StoredModel.open(job.stop(client, false)).taken().get(0);

    assertThat(taken.underWay().count()).isZero();
    assertThat(taken.rejected().count()).isEqualTo(POISON);
  }

  /** Throws nothing, and counts local steps of batches of 8. */
  private static final class Steps implements FaultInjector {

    static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    public void reach(Place place, int subtask) {
      if (place == Place.LOCAL_STEP) {
        COUNT.incrementAndGet();
      }
    }
  }

  /** It would make all other examples look the same, once they are standardized by it. */
  @ParameterizedTest
  @CsvSource({"10, 0, 0", "0, 1, 100"})
  @Tag("nightly")
  void anExampleFarAwayDoesntSpoilTheStatistics(String clip, long least, long most)
      throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(GOOD)));
    Broker.produce(topic, 0, Blobs.encode(filled(1, 3e37f)));
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(GOOD)));

    Job job =
        job(topic)
            .set("input.standardize", "on")
            .set("input.clip", clip)
            .set("evaluation.window", "1000")
            .run();

    job.assertTookAll(topic, GOOD + 1 + GOOD);
    assertThat(job.description().ledger().get(0).rejected().count()).isBetween(least, most);
    assertThat(lastAccuracy(job)).isGreaterThan(0.6);
  }

  /** Over the last thousand examples. */
  private static double lastAccuracy(Job job) throws Exception {
    List<JsonNode> reports = job.metrics("progress");
    return reports.get(reports.size() - 1).get("window_accuracy").asDouble();
  }

  @Test
  void aJobThatOnlyDivergesFailsForGood() throws Exception {
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, Blobs.encode(poison(GOOD)));
    Broker.produce(topic, 1, Blobs.encode(poison(GOOD)));
    Attempts attempts = new Attempts();

    assertThatThrownBy(() -> job(topic).faults(attempts).set("guard.max-refusals", "5").run())
        .hasStackTraceContaining("6 contributions in a row of replica")
        .hasStackTraceContaining("guard.max-refusals");
    assertThat(attempts.count()).isLessThanOrEqualTo(1);
  }

  /** Though each contribution is sound, so that no replica refuses any. */
  @Test
  @Tag("nightly")
  void aGlobalModelThatExplodesFailsTheJobForGood() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(GOOD)));
    Attempts attempts = new Attempts();
    Job job = job(topic).faults(attempts).set("exchange.server-learning-rate", "1e38");

    assertThatThrownBy(job::run)
        .hasStackTraceContaining("NonRecoverableException: Block ")
        .hasStackTraceContaining("the model explodes")
        .hasStackTraceContaining("learning rate of the model or of the server optimizer");
    assertThat(attempts.count()).isLessThanOrEqualTo(1);
  }

  /** Which have learned a while and are gone on with far away: no model diverges. */
  @Test
  @Tag("nightly")
  void aJobWhoseFeatureIsFarFromAllOthersFailsForGoodAndNamesIt() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(GOOD)));
    List<Example> moved = new Blobs(2).next(GOOD);
    moved.forEach(example -> example.features()[3] += 1.5e6f);
    Broker.produce(topic, 0, Blobs.encode(moved));

    assertThatThrownBy(
            () ->
                job(topic)
                    .set("input.standardize", "on")
                    .set("input.clip", "0")
                    .set("guard.max-refusals", "5")
                    .run())
        .hasStackTraceContaining("NonRecoverableException: 6 contributions in a row of replica")
        .hasStackTraceContaining("feature 3 has a mean of 1")
        .hasStackTraceContaining("the guard's largest change");
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .set("input.standardize", "off")
        .set("exchange.local-steps", "2");
  }

  /** Examples that are right by themselves, and too great for any network. */
  private static List<Example> poison(int count) {
    return filled(count, 3e38f);
  }

  private static List<Example> filled(int count, float value) {
    List<Example> examples = new ArrayList<>(new Blobs(3).next(count));
    examples.forEach(example -> Arrays.fill(example.features(), value));
    return examples;
  }
}
