package dev.millrace.job.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.CheckpointOptions;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class CheckpointSetupTest {

  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.createLocalEnvironment(
          new Configuration()
              .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(5)));

  @Test
  void anIntervalOfZeroIsNoneWhateverFlinkSays() {
    CheckpointSetup.apply(interval(Duration.ZERO), environment);

    assertThat(environment.getCheckpointConfig().isCheckpointingEnabled()).isFalse();
  }

  @Test
  void theJobsIntervalWinsAndItsLastCheckpointIsKept() {
    CheckpointSetup.apply(interval(Duration.ofSeconds(2)), environment);

    CheckpointConfig checkpoints = environment.getCheckpointConfig();
    assertThat(checkpoints.getCheckpointInterval()).isEqualTo(2000);
    assertThat(checkpoints.getExternalizedCheckpointRetention())
        .isEqualTo(ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
  }

  @Test
  void theClustersIntervalHoldsWhereTheJobHasNone() {
    Configuration none = new Configuration();

    assertThat(CheckpointOptions.interval(none, environment.getConfiguration()))
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(CheckpointOptions.interval(interval(Duration.ZERO), environment.getConfiguration()))
        .isEqualTo(Duration.ZERO);
    assertThat(CheckpointOptions.interval(none, none)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void theJobsDirectoryWinsOverTheClusters() {
    environment.configure(
        new Configuration().set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file:///cluster"));

    CheckpointSetup.apply(interval(Duration.ofSeconds(2)), environment);
    assertThat(environment.getConfiguration().get(CheckpointingOptions.CHECKPOINTS_DIRECTORY))
        .isEqualTo("file:///cluster");

    CheckpointSetup.apply(
        interval(Duration.ofSeconds(2)).set(CheckpointOptions.DIRECTORY, "file:///job"),
        environment);
    assertThat(environment.getConfiguration().get(CheckpointingOptions.CHECKPOINTS_DIRECTORY))
        .isEqualTo("file:///job");
  }

  private static Configuration interval(Duration interval) {
    return new Configuration().set(CheckpointOptions.INTERVAL, interval);
  }
}
