package dev.millrace.job.testing;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

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

  /**
   * Stops a job with a savepoint, waits for its end, and returns the savepoint's path. A job that
   * fails meanwhile makes no savepoint, gives one of many reasons, and goes on; it is asked again
   * then, as people would.
   */
  public static String stop(
      JobClient client, Path savepoints, boolean drain, SavepointFormatType format)
      throws Exception {
    String path =
        await()
            .pollInSameThread()
            .atMost(Job.LIMIT)
            .until(() -> savepointOrNull(client, savepoints, drain, format), Objects::nonNull);
    client.getJobExecutionResult().get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    return path;
  }

  private static String savepointOrNull(
      JobClient client, Path savepoints, boolean drain, SavepointFormatType format)
      throws Exception {
    try {
      return client
          .stopWithSavepoint(drain, savepoints.toString(), format)
          .get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      boolean failed =
          Stream.of(CheckpointException.class, StopWithSavepointStoppingException.class)
              .anyMatch(reason -> ExceptionUtils.findThrowable(e, reason).isPresent());
      if (failed && !client.getJobStatus().get().isGloballyTerminalState()) {
        return null;
      }
      throw e;
    }
  }
}
