package dev.millrace.example;

import java.io.Serializable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of records at which whoever reads them fails in a way that it shouldn't. One of
 * them is told of with all that is known; a topic may be full of them.
 *
 * <p>Not thread-safe.
 */
public final class ReadingFaults implements Serializable {

  /** Why such a record is rejected. */
  public static final String REASON =
      "not readable: the reader of the format failed; the log of the task says how";

  private static final Logger LOG = LoggerFactory.getLogger(ReadingFaults.class);

  private transient boolean hasTold;

  /** Is called for each of them. */
  public void tell(Object partition, long offset, RuntimeException fault) {
    if (!hasTold) {
      hasTold = true;
      LOG.error(
          "The record at offset {} of {} is rejected, because its reader failed. Further ones are"
              + " rejected without a word here",
          offset,
          partition,
          fault);
    }
  }
}
