package dev.millrace.cli.run;

import dev.millrace.job.score.ScoringOperator;
import java.time.Duration;
import java.util.Locale;

/** How many predictions a job makes. */
final class ScoringCounts implements JobCounts {

  /** The time without a prediction after which none is being made. */
  private static final Duration QUIET = Duration.ofSeconds(4);

  private long predictions;
  private long rejected;

  // To tell the rate by.
  private long earlier;
  private long earlierNanos = System.nanoTime();
  private double rate;

  @Override
  public String title(int parallelism) {
    return "Scoring with %s scorers".formatted(parallelism);
  }

  @Override
  public void refresh(LocalJob job) throws InterruptedException {
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

  @Override
  public String line() {
    return String.format(
        Locale.ROOT, "%,d predictions, %,.0f/s, %,d rejected", predictions, rate, rejected);
  }

  @Override
  public ScoringSummary summary(double seconds) {
    return new ScoringSummary(predictions, rejected, seconds);
  }
}
