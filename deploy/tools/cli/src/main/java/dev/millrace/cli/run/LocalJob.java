package dev.millrace.cli.run;

import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.job.TrainingJob;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.submission.Failures;
import dev.millrace.job.submission.PlaceDependences;
import dev.millrace.job.submission.Submission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.client.cli.ArtifactFetchOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job on a Flink cluster in this process, which lives as long as the job. */
public final class LocalJob {

  private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
  private static final Duration COUNT_LIMIT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LocalJob.class);

  private final Instant since = Instant.now();
  private final JobClient client;
  private static final MemorySize SEGMENT = MemorySize.parse("128kb");
  private static final MemorySize NETWORK = MemorySize.parse("128mb");

  private final List<String> warnings;
  private final CompletableFuture<JobExecutionResult> end;

  public LocalJob(JobClient client) {
    this(client, List.of());
  }

  private LocalJob(JobClient client, List<String> warnings) {
    this.client = client;
    this.warnings = List.copyOf(warnings);
    this.end = client.getJobExecutionResult();
  }

  /**
   * Starts a training job.
   *
   * @param resume state to begin with
   */
  public static LocalJob start(
      Configuration options, int parallelism, WorkDirectory work, ResumeArguments resume)
      throws Exception {
    return start(TrainingJob::build, options, parallelism, work, resume);
  }

  /**
   * Starts a job.
   *
   * @param job what it is, as its options say
   * @param resume state to begin with
   */
  public static LocalJob start(
      Submission.Job job,
      Configuration options,
      int parallelism,
      WorkDirectory work,
      ResumeArguments resume)
      throws Exception {
    FileSystems.initialize();
    Configuration cluster = clusterConfiguration(work, parallelism);
    resume.applyTo(cluster);
    cluster.addAll(FlinkOptions.clusterConfiguration(options));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, cluster);
    List<String> warnings = new ArrayList<>(PlaceDependences.local(options));
    warnings.addAll(job.addTo(environment, options));
    warnings.forEach(LOG::warn);
    return new LocalJob(environment.executeAsync("Millrace"), warnings);
  }

  /** Starts what has been added to a local environment. */
  public static LocalJob submit(StreamExecutionEnvironment environment, String name)
      throws Exception {
    return new LocalJob(environment.executeAsync(name));
  }

  /** Flink's configuration for one process; {@code flink.*} options win over it. */
  public static Configuration clusterConfiguration(WorkDirectory work, int parallelism) {
    Configuration cluster = new Configuration();
    String temporary = work.temporary().toString();
    // Defaults of the last two: what all users of the machine share, and what only root can make.
    cluster.set(CoreOptions.TMP_DIRS, temporary);
    cluster.set(WebOptions.TMP_DIR, temporary);
    cluster.set(ArtifactFetchOptions.BASE_DIR, temporary);
    cluster.set(RestOptions.BIND_ADDRESS, "localhost");
    // The job is there already: nothing comes or goes by Flink's page.
    cluster.set(WebOptions.SUBMIT_ENABLE, false);
    cluster.set(WebOptions.CANCEL_ENABLE, false);
    cluster.set(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN, "http://localhost");
    cluster.set(JobManagerOptions.BIND_HOST, "localhost");
    cluster.set(TaskManagerOptions.BIND_HOST, "localhost");
    // Blocks are large: the default of 32 KB costs a third of the exchange's throughput.
    cluster.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, SEGMENT);
    // Every replica has a channel to and from every part of the exchange, and each a segment.
    MemorySize channels = SEGMENT.multiply(2.0 * (parallelism + 3) * (parallelism + 3));
    MemorySize network = channels.compareTo(NETWORK) > 0 ? channels : NETWORK;
    cluster.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    cluster.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    // Brings what the job has counted.
    cluster.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1));
    // Rides out a broker's restart, and gives up on what doesn't heal.
    cluster.set(RestartStrategyOptions.RESTART_STRATEGY, "failure-rate");
    cluster.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL, 10);
    cluster.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL,
        Duration.ofMinutes(1));
    cluster.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY, Duration.ofSeconds(1));
    return cluster;
  }

  /** Returns what a person should know of its options. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns when it was started. */
  public Instant since() {
    return since;
  }

  /** Completes when the job has ended, exceptionally unless it finished. */
  public CompletableFuture<?> end() {
    return end;
  }

  /**
   * Returns what a counter of the job has come to, by its tasks' newest heartbeats; 0 where it
   * isn't known.
   */
  public long count(String accumulator) throws InterruptedException {
    try {
      CompletableFuture<Map<String, Object>> counts =
          end.isDone() && !end.isCompletedExceptionally()
              ? CompletableFuture.completedFuture(end.join().getAllAccumulatorResults())
              : client.getAccumulators();
      Object count = counts.get(COUNT_LIMIT.toMillis(), TimeUnit.MILLISECONDS).get(accumulator);
      return count instanceof Long known ? known : 0;
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      // The cluster is starting or ending; once it has ended, Flink throws instead of answering.
      return 0;
    }
  }

  /** Ends the job without a savepoint, and waits for that. */
  public void cancel() throws InterruptedException {
    try {
      client.cancel().get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      end.get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Cancelled, or left to the end of this process: the caller ends it either way.
    }
  }

  /**
   * Takes a savepoint, ends the job, and waits for that.
   *
   * @return where the savepoint is
   */
  public String stop(String directory) throws InterruptedException {
    try {
      String savepoint =
          client
              .stopWithSavepoint(false, directory, SavepointFormatType.CANONICAL)
              .get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      end.get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return savepoint;
    } catch (ExecutionException e) {
      throw new RunFailedException(
          "The job could not be stopped with a savepoint: " + Failures.explain(e), e);
    } catch (TimeoutException e) {
      throw new RunFailedException(
          "The job took longer than %s s to stop with a savepoint"
              .formatted(STOP_LIMIT.toSeconds()),
          e);
    }
  }
}
