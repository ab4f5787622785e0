package dev.millrace.cli.rows;

import dev.millrace.model.IdLists;

/** Counts ids by field. */
public final class IdCounts {

  private IdCounts() {}

  /**
   * Adds the ids of some examples.
   *
   * @param counts one for each field of ids
   */
  public static void add(IdLists lists, long[] counts) {
    int all = lists.rows() * lists.fields();
    for (int list = 0; list < all; list++) {
      counts[list % lists.fields()] += lists.start(list + 1) - lists.start(list);
    }
  }
}
