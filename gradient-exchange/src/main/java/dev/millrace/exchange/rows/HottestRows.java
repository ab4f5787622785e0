package dev.millrace.exchange.rows;

import java.util.Arrays;

/** Finds the ids with the most uses among those that it is told of, the most first. */
public final class HottestRows {

  private final long[] ids;
  private final long[] uses;
  private int count;

  /**
   * @param most ids that it finds
   */
  public HottestRows(int most) {
    this.ids = new long[most];
    this.uses = new long[most];
  }

  /** Takes an id, which comes once. */
  public void add(long id, long used) {
    if (count == ids.length && used <= uses[count - 1]) {
      return;
    }
    int at = count < ids.length ? count++ : count - 1;
    while (at > 0 && uses[at - 1] < used) {
      ids[at] = ids[at - 1];
      uses[at] = uses[at - 1];
      at--;
    }
    ids[at] = id;
    uses[at] = used;
  }

  public long[] ids() {
    return Arrays.copyOf(ids, count);
  }

  /** Returns the uses of each. */
  public long[] uses() {
    return Arrays.copyOf(uses, count);
  }
}
