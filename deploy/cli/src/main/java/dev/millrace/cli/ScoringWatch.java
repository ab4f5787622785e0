package dev.millrace.cli;

import dev.millrace.job.score.ScoringOperator;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Shows how many predictions a job makes, until it ends or somebody interrupts it. */
final class ScoringWatch {

  private static final Duration REFRESH = Duration.ofSeconds(1);

  /** Without a prediction for so long, none is being made. */
  private static final Duration QUIET = Duration.ofSeconds(4);

  private final Screen screen;
  private final LocalJob job;
  private final long start = System.nanoTime();
  private long predictions;
  private long rejected;

  // To tell the rate by.
  private long earlier;
  private long earlierNanos = start;
  private double rate;

  ScoringWatch(Screen screen, LocalJob job) {
    this.screen = screen;
    this.job = job;
  }

  /**
   * Waits for the end of the job.
   *
   * @return the exit code of a signal that came before
   * @throws RunFailedException if the job failed
   */
  Optional<Integer> until(CompletableFuture<Integer> signal) throws InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(job.end(), signal);
    do {
      refresh();
      screen.live(line(), System.nanoTime());
    } while (!JobWatch.isDoneWithin(REFRESH, either));
    screen.keep();
    return JobWatch.outcome(job.end(), signal);
  }

  /** Takes in what the job has counted since the last time. */
  void refresh() throws InterruptedException {
    // Counts start anew where the job had to, and are gone for a moment when it ends.
    predictions = Math.max(predictions, job.count(ScoringOperator.PREDICTIONS));
    rejected = Math.max(rejected, job.count(ScoringOperator.REJECTED_RECORDS));
    long now = System.nanoTime();
    if (predictions > earlier) {
      rate = (predictions - earlier) * 1e9 / (now - earlierNanos);
      earlier = predictions;
      earlierNanos = now;
    } else if (now - earlierNanos > QUIET.toNanos()) {
      rate = 0;
    }
  }

  private String line() {
    return String.format(
        Locale.ROOT, "%,d predictions, %,.0f/s, %,d rejected", predictions, rate, rejected);
  }

  ScoringSummary summary() {
    return new ScoringSummary(predictions, rejected, (System.nanoTime() - start) / 1e9);
  }
}
