package dev.millrace.sink;

import java.time.Duration;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts lines that a sink couldn't write and does without, such as metrics; the log says why once
 * a minute.
 *
 * <p>Thread-safe.
 */
public final class LostLines {

  private static final Logger LOG = LoggerFactory.getLogger(LostLines.class);
  private static final Duration BETWEEN_MESSAGES = Duration.ofMinutes(1);

  private final String place;
  private final Counter counter;
  private boolean hasTold;
  private long told;

  /**
   * @param place that lines should get to, for messages
   */
  public LostLines(String place, Counter counter) {
    this.place = place;
    this.counter = counter;
  }

  /** Counts one. */
  public synchronized void add(String why) {
    counter.inc();
    long now = System.nanoTime();
    if (!hasTold || now - told >= BETWEEN_MESSAGES.toNanos()) {
      hasTold = true;
      told = now;
      LOG.error(
          "{} doesn't get a line, and training goes on without ({} lost so far): {}",
          place,
          counter.getCount(),
          why);
    }
  }
}
