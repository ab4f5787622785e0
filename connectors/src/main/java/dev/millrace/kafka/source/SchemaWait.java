package dev.millrace.kafka.source;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a source has waited for schemas, and why: the log says it once a minute.
 *
 * <p>One thread waits; any may ask how long.
 */
final class SchemaWait {

  private static final Logger LOG = LoggerFactory.getLogger(SchemaWait.class);

  private static final Duration BETWEEN_MESSAGES = Duration.ofMinutes(1);
  private static final Duration WORTH_A_MESSAGE = Duration.ofSeconds(1);
  private static final long NANOS_PER_MILLI = 1_000_000;

  // Guarded by this.
  private boolean waits;
  private long since;
  private long ended;

  // Of the thread that waits.
  private boolean hasTold;
  private long told;

  /** The source waits from now on, if it doesn't already. */
  synchronized void begin() {
    if (!waits) {
      waits = true;
      since = System.nanoTime();
    }
  }

  /** Says why, if nothing was said in the last minute. */
  void tell(String why) {
    begin();
    long now = System.nanoTime();
    if (!hasTold || now - told >= BETWEEN_MESSAGES.toNanos()) {
      hasTold = true;
      told = now;
      LOG.warn("Records wait for their schema, and none is lost. {}", why);
    }
  }

  void end() {
    long waited = stop();
    if (waited >= WORTH_A_MESSAGE.toNanos()) {
      LOG.info("Records are read again, after {} ms", waited / NANOS_PER_MILLI);
    }
    hasTold = false;
  }

  private synchronized long stop() {
    long waited = waits ? System.nanoTime() - since : 0;
    waits = false;
    ended += waited;
    return waited;
  }

  /** Milliseconds so far, of all times together. */
  synchronized long millis() {
    return (ended + (waits ? System.nanoTime() - since : 0)) / NANOS_PER_MILLI;
  }
}
