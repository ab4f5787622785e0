package dev.millrace.chaos;

import dev.millrace.cli.progress.MetricsLine;
import dev.millrace.cli.progress.MetricsLine.Progress;
import dev.millrace.cli.progress.MetricsTail;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * How far a job has come, by its metrics file.
 *
 * <p>Not thread-safe.
 */
final class ProgressLog {

  private static final long POLL_MILLIS = 20;

  private final MetricsTail tail;
  private Progress latest =
      new Progress(0, -1, 0, 0, 0, null, null, null, null, null, null, null, null, null);

  ProgressLog(Path file) throws IOException {
    this.tail = new MetricsTail(file);
  }

  Progress latest() throws IOException {
    for (MetricsLine line : tail.next()) {
      if (line instanceof Progress progress) {
        latest = progress;
      }
    }
    return latest;
  }

  /**
   * Waits until the job tells of progress that is as it should be. Looks once at least.
   *
   * @return the first such
   * @throws ChaosException if none comes in time
   */
  Progress await(String what, Duration limit, Predicate<Progress> wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    do {
      for (MetricsLine line : tail.next()) {
        if (line instanceof Progress progress) {
          latest = progress;
          if (wanted.test(progress)) {
            return progress;
          }
        }
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } while (System.nanoTime() < deadline);
    throw new ChaosException(
        String.format(
            Locale.ROOT,
            "%s didn't happen within %s s; the job was at version %s, with %,d examples",
            what,
            limit.toSeconds(),
            latest.version(),
            latest.examples()));
  }

  /**
   * Waits until the job has taken that many records, or makes no round any more: what it lacks
   * then, it will never take.
   *
   * @param rest how long a job that goes on is silent at most
   * @return whether it has taken them
   */
  boolean awaitRecords(long records, Duration rest) throws IOException, InterruptedException {
    long silentSince = System.nanoTime();
    Progress known = latest;
    while (known.examples() + known.rejected() < records) {
      if (System.nanoTime() - silentSince > rest.toNanos()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      Progress now = latest();
      if (!now.equals(known)) {
        known = now;
        silentSince = System.nanoTime();
      }
    }
    return true;
  }
}
