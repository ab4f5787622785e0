package dev.millrace.cli;

import dev.millrace.job.join.JoinMetrics.Count;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Shows what a join has made of records, until it ends or somebody interrupts it. */
final class JoinWatch {

  private static final Duration REFRESH = Duration.ofSeconds(1);

  private final Screen screen;
  private final LocalJob job;
  private final long start = System.nanoTime();
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);

  JoinWatch(Screen screen, LocalJob job) {
    this.screen = screen;
    this.job = job;
    for (Count count : Count.values()) {
      counts.put(count, 0L);
    }
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
      screen.live(summary().counts(), System.nanoTime());
    } while (!JobWatch.isDoneWithin(REFRESH, either));
    screen.keep();
    return JobWatch.outcome(job.end(), signal);
  }

  /** Takes in what the job has counted since the last time. */
  void refresh() throws InterruptedException {
    for (Count count : Count.values()) {
      // Counts start anew where the job had to, and are gone for a moment when it ends.
      counts.merge(count, job.count(count.accumulator()), Math::max);
    }
  }

  JoinSummary summary() {
    return new JoinSummary(
        counts.get(Count.PAIRS),
        counts.get(Count.NEGATIVES),
        counts.get(Count.UNLABELLED),
        counts.get(Count.LATE),
        counts.get(Count.DUPLICATES),
        counts.get(Count.REJECTED),
        (System.nanoTime() - start) / 1e9);
  }
}
