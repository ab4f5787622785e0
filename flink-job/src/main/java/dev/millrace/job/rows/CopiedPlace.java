package dev.millrace.job.rows;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import java.io.IOException;

/** A place whose rows are copied to a directory. All who open it in a process share one copy. */
public interface CopiedPlace extends RowPlace {

  /** Returns the directory of the copy, kept from start to start; empty for a temporary one. */
  String directory();

  /** Returns what a copy says that it is of. */
  String name();

  /**
   * Begins to read.
   *
   * @param stands where the copy stands, as a feed has committed it; empty for nowhere
   * @throws IOException if it can't be read, saying what to do
   */
  RowFeed follow(String stands) throws IOException;

  @Override
  default ServedRows open() throws IOException {
    return SharedCopies.open(this);
  }
}
