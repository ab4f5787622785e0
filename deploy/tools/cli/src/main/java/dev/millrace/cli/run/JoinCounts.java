package dev.millrace.cli.run;

import dev.millrace.job.join.JoinMetrics.Count;
import java.util.EnumMap;
import java.util.Map;

/** What a join has made of records. */
final class JoinCounts implements JobCounts {

  private final Map<Count, Long> counts = new EnumMap<>(Count.class);

  JoinCounts() {
    for (Count count : Count.values()) {
      counts.put(count, 0L);
    }
  }

  @Override
  public String title(int parallelism) {
    return "Joining in %s parts".formatted(parallelism);
  }

  @Override
  public void refresh(LocalJob job) throws InterruptedException {
    for (Count count : Count.values()) {
      // Counts start anew where the job had to, and are gone for a moment when it ends.
      counts.merge(count, job.count(count.accumulator()), Math::max);
    }
  }

  @Override
  public String line() {
    return summary(0).counts();
  }

  @Override
  public JoinSummary summary(double seconds) {
    return new JoinSummary(
        counts.get(Count.PAIRS),
        counts.get(Count.NEGATIVES),
        counts.get(Count.UNLABELLED),
        counts.get(Count.LATE),
        counts.get(Count.DUPLICATES),
        counts.get(Count.REJECTED),
        seconds);
  }
}
