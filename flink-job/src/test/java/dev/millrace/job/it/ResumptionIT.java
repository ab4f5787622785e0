package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.setup.JobCheck;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.io.InvalidModelException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that go on from a savepoint with other options than those that it was taken with. */
class ResumptionIT {

  private static final int LEARNED = 8 * 20;

  @TempDir static Path directory;

  private static String topic;
  private static String asked;
  private static String output;
  private static String rejected;
  private static String savepoint;

  @BeforeAll
  static void makeSavepoint() throws Exception {
    topic = Broker.topic("learned", 1);
    asked = Broker.topic("asked", 1);
    output = Broker.topic("answers", 1);
    rejected = Broker.topic("rejected", 1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(LEARNED)));
    Job job =
        job()
            .set("scoring.topics", asked)
            .set("scoring.output-topic", output)
            .set("evaluation.segments", "class")
            .set("dead-letter.topic", rejected)
            .set("output.guarantee", "exactly-once");
    JobClient client = job.start();
    // Segments hold some records out, which aren't counted here.
    job.await(() -> job.taken() >= LEARNED / 2);
    savepoint = job.stop(client, false);
  }

  @Test
  void partsThatWereRemovedAreNamedByTheirOptions() {
    JobCheck check = job().from(savepoint).looked();

    assertThat(check.problems())
        .singleElement()
        .isInstanceOf(InvalidModelException.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains(
            savepoint,
            "a job with scoring (scoring.topics)",
            "a job with dead letters (dead-letter.topic)",
            "leave it behind with --allowNonRestoredState");
    assertThatThrownBy(() -> job().from(savepoint).run())
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(check.problems().get(0).getMessage());
  }

  /** The job that was left had no end, and learns what came since, and ends. */
  @Test
  void whatIsLeftBehindIsToldAndTheJobGoesOnAndEnds() throws Exception {
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(8)));
    Job job =
        job()
            .from(savepoint)
            .flink("execution.state-recovery.ignore-unclaimed-state", "true")
            .set("input.bounded", "true");

    assertThat(job.looked().problems()).isEmpty();
    assertThat(job.looked().warnings())
        .anyMatch(warning -> warning.contains("had scoring (scoring.topics)"));

    assertThat(job.run().description().ledger())
        .singleElement()
        .extracting(
            entry ->
                entry.learned().count() + (entry.heldOut() == null ? 0 : entry.heldOut().count()))
        .isEqualTo(LEARNED + 8L);
  }

  @Test
  void optionsThatTheSavepointOverrulesAreTold() {
    Job job =
        job()
            .from(savepoint)
            .flink("execution.state-recovery.ignore-unclaimed-state", "true")
            .set("input.topics", asked)
            .set("input.start", "latest")
            .set("model.seed", "77");

    List<String> warnings = job.looked().warnings();

    assertThat(warnings)
        .anyMatch(warning -> warning.startsWith("input.start is 'latest', and has no effect"))
        .anyMatch(warning -> warning.startsWith("model.seed is '77', and doesn't change"))
        .anyMatch(warning -> warning.contains("read the topic '%s'".formatted(topic)));
  }

  private static Job job() {
    return new Job(topic, directory)
        .parallelism(1)
        .set("input.bounded", "false")
        .set("batch.max-wait", "100 ms");
  }
}
