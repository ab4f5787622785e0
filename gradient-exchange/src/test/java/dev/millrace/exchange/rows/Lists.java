package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;

/** Lists of ids for tests. */
final class Lists {

  private Lists() {}

  /** Makes lists that lie one behind another, each up to its end. */
  static IdLists of(long[] ids, int[] ends, int fields) {
    IdLists lists = new IdLists(fields);
    int at = 0;
    for (int end : ends) {
      for (; at < end; at++) {
        lists.add(ids[at]);
      }
      lists.end();
    }
    return lists;
  }
}
