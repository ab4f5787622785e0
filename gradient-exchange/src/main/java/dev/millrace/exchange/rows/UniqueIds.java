package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * The different ids of a minibatch in one table, in the order in which they came, with their uses.
 * Reused from minibatch to minibatch; nothing is allocated for an id. Belongs to one thread.
 */
public final class UniqueIds {

  private static final int FIRST_SIZE = 64;

  private long[] ids = new long[FIRST_SIZE];
  private int[] counts = new int[FIRST_SIZE];
  private int size;

  /**
   * What an id's number is found by: forgotten + number + 1. Up to {@code forgotten} it is free.
   */
  private int[] index = new int[2 * FIRST_SIZE];

  /** The ids of earlier minibatches, since the index was made. */
  private int forgotten;

  /**
   * Takes an id.
   *
   * @param uses that it counts
   * @return its number among the different ids, from 0
   */
  public int add(long id, int uses) {
    int mask = index.length - 1;
    int at = (int) RowHash.mix(id) & mask;
    while (index[at] > forgotten) {
      int number = index[at] - forgotten - 1;
      if (ids[number] == id) {
        counts[number] += uses;
        return number;
      }
      at = at + 1 & mask;
    }
    index[at] = forgotten + size + 1;
    ids[size] = id;
    counts[size] = uses;
    size++;
    if (size == ids.length) {
      grow();
    }
    return size - 1;
  }

  /** Returns the number of an id; negative if it isn't there. */
  public int find(long id) {
    int mask = index.length - 1;
    for (int at = (int) RowHash.mix(id) & mask; index[at] > forgotten; at = at + 1 & mask) {
      int number = index[at] - forgotten - 1;
      if (ids[number] == id) {
        return number;
      }
    }
    return -1;
  }

  private void grow() {
    ids = Arrays.copyOf(ids, 2 * size);
    counts = Arrays.copyOf(counts, 2 * size);
    index = new int[4 * size];
    forgotten = 0;
    int mask = index.length - 1;
    for (int number = 0; number < size; number++) {
      int at = (int) RowHash.mix(ids[number]) & mask;
      while (index[at] != 0) {
        at = at + 1 & mask;
      }
      index[at] = number + 1;
    }
  }

  /** Forgets all ids. */
  public void clear() {
    forgotten += size;
    size = 0;
    if (forgotten > Integer.MAX_VALUE / 2) {
      Arrays.fill(index, 0);
      forgotten = 0;
    }
  }

  /** Returns how many different ids there are. */
  public int size() {
    return size;
  }

  /**
   * Returns the ids by their numbers, in the first {@link #size} places; valid until the next add.
   */
  public long[] ids() {
    return ids;
  }

  /** Returns the uses of each id, as {@link #ids}. */
  public int[] counts() {
    return counts;
  }
}
