package dev.millrace.cli;

import dev.millrace.job.EvaluationJob;
import dev.millrace.job.evaluator.EvaluationTopology;
import dev.millrace.job.options.FlinkOptions;
import dev.millrace.job.setup.EvaluationArguments;
import dev.millrace.job.submission.Failures;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** An evaluation job on a Flink cluster in this process, which lives as long as the job. */
final class LocalEvaluation {

  private static final Duration REFRESH = Duration.ofMillis(500);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final JobClient client;
  private final CompletableFuture<?> end;
  private final long startNanos = System.nanoTime();
  private double seconds;

  private LocalEvaluation(JobClient client) {
    this.client = client;
    this.end = client.getJobExecutionResult();
  }

  static LocalEvaluation start(
      EvaluationArguments arguments, Configuration options, int parallelism, WorkDirectory work)
      throws Exception {
    Configuration cluster = LocalJob.clusterConfiguration(work, parallelism);
    // What fails here fails again: files and models don't change.
    cluster.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    // Counts of records come with them.
    cluster.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, REFRESH);
    cluster.addAll(FlinkOptions.clusterConfiguration(options));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, cluster);
    EvaluationJob.build(environment, arguments, options);
    return new LocalEvaluation(environment.executeAsync(EvaluationJob.NAME));
  }

  /**
   * Shows how far the job is until it ends.
   *
   * @return the exit code of a signal that came before
   * @throws RunFailedException if the job failed
   */
  Optional<Integer> watch(Screen screen, CompletableFuture<Integer> signal)
      throws InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(end, signal);
    while (!isDoneWithin(REFRESH, either)) {
      show(screen);
    }
    seconds = elapsed();
    screen.keep();
    if (!end.isDone()) {
      return Optional.of(signal.join());
    }
    try {
      end.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new RunFailedException("The evaluation failed: " + Failures.explain(e), e);
    }
  }

  /** From the submission to the end, once that has come. */
  double seconds() {
    return seconds;
  }

  void cancel() throws InterruptedException {
    try {
      client.cancel().get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      end.get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Cancelled, or left to the end of this process: the caller ends it either way.
    }
  }

  private void show(Screen screen) throws InterruptedException {
    try {
      Object records =
          client
              .getAccumulators()
              .get(REFRESH.toMillis(), TimeUnit.MILLISECONDS)
              .get(EvaluationTopology.RECORDS);
      if (records instanceof Long count && count > 0) {
        screen.live(
            String.format(Locale.ROOT, "%,d records, %,.0f/s", count, count / elapsed()),
            System.nanoTime());
      }
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      // Shown the next time, unless the job has ended, and its cluster with it.
    }
  }

  private double elapsed() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private static boolean isDoneWithin(Duration wait, CompletableFuture<?> future)
      throws InterruptedException {
    try {
      future.get(wait.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }
}
