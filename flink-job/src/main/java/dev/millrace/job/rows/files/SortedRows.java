package dev.millrace.job.rows.files;

import java.io.IOException;

/** Rows in the order of their ids, each id once. They are gone through several times. */
interface SortedRows {

  /** Takes a row. */
  interface Visitor {

    /**
     * Takes a row, whose values are valid until this returns.
     *
     * @param removed whether the id has no row any more
     * @param from has the values from {@code at} on, 4 bytes each, the lowest first, unless it was
     *     removed or values weren't asked for
     */
    void row(long id, boolean removed, byte[] from, int at) throws IOException;
  }

  void forEach(boolean withValues, Visitor visitor) throws IOException;
}
