package dev.millrace.cli;

import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.cli.run.JobWatch;
import dev.millrace.cli.run.LocalJob;
import dev.millrace.job.EvaluationJob;
import dev.millrace.job.evaluate.EvaluationTopology;
import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.options.FlinkOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** An evaluation job on a Flink cluster in this process, which lives as long as the job. */
final class LocalEvaluation {

  private static final Duration REFRESH = Duration.ofMillis(500);

  private final LocalJob job;
  private final long startNanos = System.nanoTime();
  private double seconds;

  private LocalEvaluation(LocalJob job) {
    this.job = job;
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
    return new LocalEvaluation(LocalJob.submit(environment, EvaluationJob.NAME));
  }

  /**
   * Shows how far the job is until it ends.
   *
   * @return the exit code of a signal that came before
   * @throws RunFailedException if the job failed
   */
  Optional<Integer> watch(Screen screen, CompletableFuture<Integer> signal)
      throws InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(job.end(), signal);
    while (!JobWatch.isDoneWithin(REFRESH, either)) {
      show(screen);
    }
    seconds = elapsed();
    screen.keep();
    return JobWatch.outcome(job.end(), signal);
  }

  /** Returns the time from the submission to the end, once that has come. */
  double seconds() {
    return seconds;
  }

  void cancel() throws InterruptedException {
    job.cancel();
  }

  private void show(Screen screen) throws InterruptedException {
    long count = job.count(EvaluationTopology.RECORDS);
    if (count > 0) {
      screen.live(
          String.format(Locale.ROOT, "%,d records, %,.0f/s", count, count / elapsed()),
          System.nanoTime());
    }
  }

  private double elapsed() {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
