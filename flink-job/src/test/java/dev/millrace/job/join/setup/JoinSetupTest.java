package dev.millrace.job.join.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.setup.JobCheck;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class JoinSetupTest {

  private static final Map<String, String> OPTIONS =
      Map.of(
          "kafka.bootstrap.servers", "localhost:1",
          "kafka.group.id", "orders",
          "join.features.topics", "orders",
          "join.labels.topics", "verdicts",
          "join.output.topic", "labelled",
          "dead-letter.topic", "late",
          "join.within", "1 h");

  private static StreamExecutionEnvironment build(Configuration flink) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flink);
    new JoinSetup(JobOptions.check(JobKind.JOINING, OptionReader.configuration(OPTIONS), flink))
        .build(environment);
    return environment;
  }

  @Test
  void stateIsOnDiskUnlessTheClusterSaysOtherwise() {
    StreamExecutionEnvironment unsaid = build(new Configuration());
    assertThat(unsaid.getConfiguration().get(StateBackendOptions.STATE_BACKEND))
        .isEqualTo("rocksdb");
    assertThat(unsaid.getConfiguration().get(CheckpointingOptions.INCREMENTAL_CHECKPOINTS))
        .isTrue();

    StreamExecutionEnvironment said =
        build(new Configuration().set(StateBackendOptions.STATE_BACKEND, "hashmap"));
    assertThat(said.getConfiguration().get(StateBackendOptions.STATE_BACKEND)).isEqualTo("hashmap");
  }

  /** Savepoints know operators by these. */
  @Test
  void everyOperatorHasItsName() {
    assertThat(build(new Configuration()).getStreamGraph().getStreamNodes())
        .extracting(node -> node.getTransformationUID())
        .contains("features", "labels", "sorted-features", "sorted-labels", "join");
  }

  @Test
  void aCheckSaysWhatTheJobWouldBe() {
    JobCheck check =
        JobCheck.of(OptionReader.configuration(OPTIONS), new Configuration(), List.of());

    assertThat(check.found())
        .contains("Job:       joins", "Join:      orders with verdicts within 1 h, to labelled");
    assertThat(check.problems()).isEmpty();
    assertThat(check.unchecked()).anyMatch(what -> what.contains("Topics aren't checked"));
  }
}
