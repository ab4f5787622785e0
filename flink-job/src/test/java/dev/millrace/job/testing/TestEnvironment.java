package dev.millrace.job.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Environments for jobs of tests, which run in {@link SharedFlink} and restart without delay. */
public final class TestEnvironment {

  private TestEnvironment() {}

  /** With a hundred restarts. */
  public static StreamExecutionEnvironment local(int parallelism, String backend, String savepoint)
      throws Exception {
    return local(parallelism, backend, savepoint, 100);
  }

  public static StreamExecutionEnvironment local(
      int parallelism, String backend, String savepoint, int restarts) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
    if (savepoint != null) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    StreamExecutionEnvironment environment = SharedFlink.environment(configuration);
    environment.setParallelism(parallelism);
    return environment;
  }

  /** Stops a job with a savepoint, waits for its end, and returns the savepoint's path. */
  public static String stop(
      JobClient client, Path savepoints, boolean drain, SavepointFormatType format)
      throws Exception {
    String path =
        client
            .stopWithSavepoint(drain, savepoints.toString(), format)
            .get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    client.getJobExecutionResult().get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    return path;
  }
}
