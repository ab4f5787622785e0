package dev.millrace.job.rows;

import java.io.IOException;
import java.time.Duration;

/**
 * Brings a copy what comes at a place. Where an exception is thrown, the place is opened again, and
 * the copy has what was committed. Belongs to one thread.
 */
public interface RowFeed extends AutoCloseable {

  /** Whether the copy goes on from where it stands. Otherwise it begins anew. */
  boolean goesOn();

  /**
   * Gives a copy what has come, and commits it. Waits for so long at most where nothing has.
   *
   * @return how many changes there were
   * @throws IOException if the place can't be read, or must be opened again
   */
  int read(Duration limit, LocalRows copy) throws IOException;

  /** Whether the copy has all that there was when the place was opened. */
  boolean hasCaughtUp();

  @Override
  void close();
}
