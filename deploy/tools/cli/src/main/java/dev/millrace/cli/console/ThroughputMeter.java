package dev.millrace.cli.console;

import dev.millrace.cli.progress.MetricsLine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** Examples per second over the last seconds, and how long the rest will take at that rate. */
public final class ThroughputMeter {

  private static final Duration WINDOW = Duration.ofSeconds(10);

  private record Reading(long millis, long examples) {}

  private final Deque<Reading> readings = new ArrayDeque<>();

  public void add(MetricsLine.Progress progress) {
    if (!readings.isEmpty() && progress.examples() < readings.peekLast().examples()) {
      // A failure took the job back to a checkpoint: what follows is a new measurement.
      readings.clear();
    }
    readings.add(new Reading(progress.time(), progress.examples()));
    while (readings.size() > 2
        && progress.time() - readings.peekFirst().millis() > WINDOW.toMillis()) {
      readings.removeFirst();
    }
  }

  /** 0 until there are two readings. */
  public double examplesPerSecond() {
    if (readings.size() < 2) {
      return 0;
    }
    Reading first = readings.peekFirst();
    Reading last = readings.peekLast();
    long millis = last.millis() - first.millis();
    return millis <= 0 ? 0 : (last.examples() - first.examples()) * 1000.0 / millis;
  }

  /** Seconds until {@code remaining} more examples are learned from; none where nothing moves. */
  public OptionalLong secondsFor(long remaining) {
    double rate = examplesPerSecond();
    return rate <= 0 ? OptionalLong.empty() : OptionalLong.of(Math.round(remaining / rate));
  }
}
