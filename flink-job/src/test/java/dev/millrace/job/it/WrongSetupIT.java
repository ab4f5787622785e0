package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Scoring;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What can't work is refused with one message that says why, before anything is submitted if
 * possible.
 */
class WrongSetupIT {

  @TempDir Path directory;

  @Test
  void aMissingTopicIsNamed() {
    Job job = new Job("no-such-topic", directory);

    assertThatThrownBy(job::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'no-such-topic'")
        .hasMessageContaining("--create --topic no-such-topic");
  }

  @Test
  void aBrokerThatCannotBeReachedIsNamed() throws Exception {
    // A port that is bound, and nobody listens at: nobody else does meanwhile.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String address = "127.0.0.1:" + bound.getLocalPort();
      Job job = new Job("examples", directory).set("kafka.bootstrap.servers", address);

      assertThatThrownBy(job::check)
          .isInstanceOf(KafkaAccessException.class)
          .hasMessageContaining("No Kafka broker can be reached")
          .hasMessageContaining(address);
    }
  }

  @Test
  void recordsThatDoNotFitTheModelAreShown() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(10), "json"));
    Job job = new Job(topic, directory).set("input.format", "json").set("input.features", "9");

    assertThatThrownBy(job::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining(topic)
        .hasMessageContaining("offset 0")
        .hasMessageContaining("9 features expected, 8 found");
  }

  @Test
  void aMissingHoldOutTopicIsNamed() throws Exception {
    Job job = new Job(Broker.topic(1), directory).set("evaluation.holdout", "topic:not-held-out");

    assertThatThrownBy(job::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'not-held-out'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dead-letter.topic", "metrics.topic"})
  void aCompactedTopicForRecordsWithoutKeysIsNamed(String option) throws Exception {
    String compacted = Broker.topic(1);
    Broker.compact(compacted);
    Job job = new Job(Broker.topic(1), directory).set(option, compacted);

    assertThatThrownBy(job::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("'%s'", compacted)
        .hasMessageContaining("is compacted");
  }

  @Test
  void scoringRefusesACompactedTopicForItsDeadLetters() throws Exception {
    String compacted = Broker.topic(1);
    Broker.compact(compacted);
    Scoring scoring = new Scoring(Broker.topic(1), directory).set("dead-letter.topic", compacted);

    assertThatThrownBy(scoring::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("'%s'", compacted)
        .hasMessageContaining("is compacted");
  }

  @Test
  void checkpointsThatNoMemoryWouldTakeNeedADirectory() throws Exception {
    Job job =
        new Job(Broker.topic(1), directory)
            .unset("execution.checkpointing.dir")
            .set("model.hidden", "1000;1000");

    assertThatThrownBy(job::run)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("execution.checkpointing.dir is missing")
        .hasMessageContaining("execution.checkpointing.dir");
  }

  /**
   * Known only where the replicas run: tried once, for all that the restart strategy would allow.
   */
  @Test
  void aGpuForEachReplicaIsAskedForInVainOnTheCpu() throws Exception {
    Attempts attempts = new Attempts();
    Job job =
        new Job(Broker.topic(1), directory)
            .restarts(20)
            .faults(attempts)
            .set("model.device", "exclusive");

    assertThatThrownBy(job::run)
        .hasStackTraceContaining(
            "NonRecoverableException: Each replica is to have a GPU alone (device exclusive), and ND4J"
                + " computes on the CPU");
    assertThat(attempts.count()).isLessThanOrEqualTo(1);
  }

  @Test
  void aHoldOutSetThatCannotBeReadIsNamed() {
    String missing = "csv:" + directory.resolve("missing.csv");
    Job job = new Job("examples", directory).set("evaluation.holdout", missing);

    assertThatThrownBy(job::check)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("evaluation.holdout")
        .hasMessageContaining("can't be read")
        .hasMessageContaining("missing.csv");
  }

  @Test
  void aHoldOutSetOfAnotherShapeIsNamed() {
    Job job = new Job("examples", directory).set("evaluation.holdout", "digits:10");

    assertThatThrownBy(job::check)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("evaluation.holdout")
        .hasMessageContaining("the job's examples 8 and 3");
  }
}
