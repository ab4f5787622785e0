package dev.millrace.cli.run;

import dev.millrace.cli.console.ProgressLine;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.console.ThroughputMeter;
import dev.millrace.cli.progress.MetricsLine;
import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.job.submission.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Shows a job's progress until it ends or somebody interrupts it. */
public final class JobWatch {

  private static final Duration REFRESH = Duration.ofMillis(250);

  private final Screen screen;
  private final MetricsTail metrics;
  private final ProgressLine line;
  private final RunHistory history = new RunHistory();
  private final ThroughputMeter meter = new ThroughputMeter();

  public JobWatch(Screen screen, MetricsTail metrics, OptionalLong total) {
    this.screen = screen;
    this.metrics = metrics;
    this.line = new ProgressLine(total);
  }

  /**
   * Waits for the end of the job.
   *
   * @return the exit code of a signal that came before
   * @throws RunFailedException if the job failed
   */
  public Optional<Integer> until(CompletableFuture<?> end, CompletableFuture<Integer> signal)
      throws IOException, InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(end, signal);
    do {
      refresh();
    } while (!isDoneWithin(REFRESH, either));
    refresh();
    screen.keep();
    return outcome(end, signal);
  }

  /**
   * Returns the outcome of a job that has ended, or of a signal that came before, as {@link #until}
   * gives it.
   */
  public static Optional<Integer> outcome(
      CompletableFuture<?> end, CompletableFuture<Integer> signal) throws InterruptedException {
    if (!end.isDone()) {
      return Optional.of(signal.join());
    }
    try {
      end.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new RunFailedException("The job failed: " + Failures.explain(e), e);
    }
  }

  public static boolean isDoneWithin(Duration wait, CompletableFuture<?> future)
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

  /** Takes in what the job has written since the last time. */
  public void refresh() throws IOException {
    for (MetricsLine next : metrics.next()) {
      history.add(next);
      if (next instanceof MetricsLine.Progress progress) {
        meter.add(progress);
      }
    }
    history.latest().ifPresent(p -> screen.live(line.format(p, meter), System.nanoTime()));
  }

  public RunHistory history() {
    return history;
  }
}
