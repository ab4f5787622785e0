package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.io.InvalidModelException;
import java.nio.file.Path;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A savepoint goes on only with what it was made with; another job is refused once, for good. */
class CheckpointCompatIT {

  @TempDir static Path directory;

  private static String topic;
  private static String savepoint;

  @BeforeAll
  static void makeSavepoint() throws Exception {
    topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(800)));
    Attempts attempts = new Attempts();
    Job job = job().faults(attempts);
    JobClient client = job.start();
    job.await(() -> job.taken() > 0);
    savepoint = job.stop(client, false);
    assertThat(attempts.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "exchange.block-size, 2 kb, floats in a parameter block",
    "exchange.average-updater, false, exchanged values",
    "input.standardize, off, standardization of features",
    "model.hidden, 17, parameters",
    "model.updater, rmsprop, 'updater: Nesterovs there, RmsProp here'",
    "input.classes, c;b;a, names of the classes"
  })
  void aChangeThatTheStateCannotFollowIsRefused(String option, String changed, String named) {
    Job job = job().set(option, changed);

    Attempts none = new Attempts();
    job.from(savepoint).faults(none);
    assertThatThrownBy(job::run)
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(named);
    assertThat(none.count()).as("attempts where the client sees it").isZero();

    Attempts one = new Attempts();
    job.fromUnseen(savepoint).restarts(20).faults(one);
    // The coordinator names the difference. A replica that restores sooner counts blocks.
    assertThatThrownBy(job::run)
        .rootCause()
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("The checkpoint");
    assertThat(one.count()).as("attempts").isEqualTo(1);
  }

  private static Job job() {
    return new Job(topic, directory)
        .parallelism(1)
        .set("input.bounded", "false")
        .set("input.standardize", "on")
        .set("model.updater", "nesterovs")
        .set("input.classes", "a;b;c");
  }
}
