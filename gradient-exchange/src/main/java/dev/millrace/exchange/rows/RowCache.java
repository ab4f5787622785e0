package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * The rows of a table that were used lately, on the heap: an arena of parallel arrays, which grows
 * in pieces up to a fixed number of rows, and an open-addressing index. No object is made for a
 * row. A row that isn't here is loaded in the place of one that wasn't used lately (CLOCK: Corbató
 * 1968), which is written back if it has changed. An id without a row is kept too, as absent, so
 * that a push needn't look again for what the pull before it didn't find. Belongs to one thread.
 */
final class RowCache {

  private static final int PIECE_BITS = 12;
  private static final int PIECE = 1 << PIECE_BITS;

  /** Longs of a row's head: its id, its uses and epoch, its last use. */
  private static final int HEAD = 3;

  private static final int EPOCH_SHIFT = 48;
  private static final int FIRST_INDEX = 1 << 10;

  /** The most rows whose index has at most 2^30 places. */
  static final int MOST_ROWS = 1 << 29;

  /** Rows that the search for cold ones looks at, for each that it may write. */
  private static final int LOOK = 32;

  /** Used since the clock's hand came by. */
  private static final byte USED = 1;

  /** Differs from what the store has. */
  private static final byte DIRTY = 2;

  /** There is no such row. */
  private static final byte ABSENT = 4;

  /** Changed since the search for cold rows came by. */
  private static final byte WARM = 8;

  /** Differs from what others were told. */
  private static final byte UNTOLD = 16;

  private final RowFormat format;
  private final RowStore store;
  private final TableChanges changes;
  private final int capacity;
  private final byte[] scratch;

  private final long[][] heads;
  private final float[][] floats;
  private byte[] marks;

  /**
   * Row + 1 at the place of its id or behind it, with the upper half of the id's hash above it: so
   * ids of other rows need hardly ever be looked at. 0 for a free place; at most half is taken.
   */
  private long[] index;

  private int size;
  private int hand;
  private int cold;
  private int dirty;
  private int untold;

  private long hits;
  private long misses;
  private long written;

  RowCache(RowFormat format, RowStore store, int capacity, TableChanges changes) {
    if (capacity < 1 || capacity > MOST_ROWS) {
      throw new IllegalArgumentException(
          "A cache has room for %s rows; it must be 1 to %s".formatted(capacity, MOST_ROWS));
    }
    this.format = format;
    this.store = store;
    this.capacity = capacity;
    this.changes = changes;
    this.scratch = new byte[format.length()];
    int pieces = (capacity + PIECE - 1) >>> PIECE_BITS;
    this.heads = new long[pieces][];
    this.floats = new float[pieces][];
    this.marks = new byte[Math.min(capacity, PIECE)];
    this.index = new long[FIRST_INDEX];
  }

  /**
   * Returns where the row of an id lies, which holds until the next {@link #load}; negative if it
   * isn't here.
   */
  int use(long id) {
    int row = find(id);
    if (row >= 0) {
      hits++;
      marks[row] |= USED;
    }
    return row;
  }

  /** Does what {@link #use} does, and doesn't count it as a use. */
  int find(long id) {
    long hash = RowHash.mix(id);
    int mask = index.length - 1;
    for (int at = (int) hash & mask; index[at] != 0; at = at + 1 & mask) {
      if ((index[at] ^ hash) >>> Integer.SIZE == 0 && id(row(index[at])) == id) {
        return row(index[at]);
      }
    }
    return -1;
  }

  private static int row(long entry) {
    return (int) entry - 1;
  }

  private int place(long id) {
    return (int) RowHash.mix(id) & index.length - 1;
  }

  /** Loads a row that isn't here, or marks it as absent; returns where it lies. */
  int load(long id) {
    misses++;
    byte[] bytes = store.get(id);
    if (bytes != null) {
      format.check(id, bytes);
    }
    int row = size < capacity ? added() : evicted();
    heads(row)[head(row)] = id;
    if (bytes == null) {
      marks[row] = ABSENT;
    } else {
      marks[row] = USED;
      setHead(row, RowFormat.epoch(bytes), RowFormat.uses(bytes), RowFormat.lastUse(bytes));
      format.floats(bytes, floats(row), at(row));
    }
    enter(id, row);
    return row;
  }

  private int added() {
    int row = size++;
    int piece = row >>> PIECE_BITS;
    if (heads[piece] == null) {
      int rows = Math.min(PIECE, capacity - (piece << PIECE_BITS));
      heads[piece] = new long[rows * HEAD];
      floats[piece] = new float[Math.multiplyExact(rows, format.floats())];
    }
    if (row == marks.length) {
      marks = Arrays.copyOf(marks, (int) Math.min(capacity, 2L * marks.length));
    }
    if (size > index.length / 2) {
      long[] old = index;
      index = new long[2 * old.length];
      for (long entry : old) {
        if (entry != 0) {
          enter(id(row(entry)), row(entry));
        }
      }
    }
    return row;
  }

  private int evicted() {
    while ((marks[hand] & USED) != 0) {
      marks[hand] &= ~USED;
      hand = hand + 1 == size ? 0 : hand + 1;
    }
    int row = hand;
    hand = hand + 1 == size ? 0 : hand + 1;
    tell(row);
    write(row);
    leave(id(row));
    return row;
  }

  private void enter(long id, int row) {
    long hash = RowHash.mix(id);
    int mask = index.length - 1;
    int at = (int) hash & mask;
    while (index[at] != 0) {
      at = at + 1 & mask;
    }
    index[at] = hash >>> Integer.SIZE << Integer.SIZE | row + 1;
  }

  /** Takes an id out of the index; those behind it move up, where they may. */
  private void leave(long id) {
    int mask = index.length - 1;
    int free = place(id);
    while (id(row(index[free])) != id) {
      free = free + 1 & mask;
    }
    for (int at = free + 1 & mask; index[at] != 0; at = at + 1 & mask) {
      int home = place(id(row(index[at])));
      if ((at - home & mask) >= (at - free & mask)) {
        index[free] = index[at];
        free = at;
      }
    }
    index[free] = 0;
  }

  /** Writes a row if it differs from what the store has. */
  private void write(int row) {
    if ((marks[row] & DIRTY) != 0) {
      format.encode(scratch, epoch(row), uses(row), lastUse(row), floats(row), at(row));
      store.put(id(row), scratch);
      marks[row] &= ~DIRTY;
      dirty--;
      written++;
    }
  }

  private void tell(int row) {
    if ((marks[row] & UNTOLD) != 0) {
      changes.changed(id(row), floats(row), at(row));
      marks[row] &= ~UNTOLD;
      untold--;
    }
  }

  /** Tells of a row with the next ones, changed or not. */
  void tellAgain(int row) {
    if ((marks[row] & (UNTOLD | ABSENT)) == 0) {
      marks[row] |= UNTOLD;
      untold++;
    }
  }

  /** Tells of all rows that have changed since they were told of. */
  void tell() {
    for (int row = 0; row < size && untold > 0; row++) {
      tell(row);
    }
  }

  /** Writes all rows that differ from what the store has. */
  void flush() {
    for (int row = 0; row < size && dirty > 0; row++) {
      write(row);
    }
  }

  /**
   * Writes some of the rows that have changed, and have not done so again since the call before
   * came by them: so a flush has less to do.
   *
   * @param most rows that are written
   */
  void writeCold(int most) {
    int left = most;
    for (long look = Math.min(size, (long) most * LOOK);
        look > 0 && left > 0 && dirty > 0;
        look--) {
      cold = cold + 1 < size ? cold + 1 : 0;
      if ((marks[cold] & (DIRTY | WARM)) == DIRTY) {
        write(cold);
        left--;
      }
      marks[cold] &= ~WARM;
    }
  }

  /** The array that holds values and slots of a row, from {@link #at} on. */
  float[] floats(int row) {
    return floats[row >>> PIECE_BITS];
  }

  int at(int row) {
    return (row & PIECE - 1) * format.floats();
  }

  boolean absent(int row) {
    return (marks[row] & ABSENT) != 0;
  }

  private long id(int row) {
    return heads(row)[head(row)];
  }

  long uses(int row) {
    return heads(row)[head(row) + 1] & RowFormat.MOST_USES;
  }

  int epoch(int row) {
    return (int) (heads(row)[head(row) + 1] >>> EPOCH_SHIFT);
  }

  long lastUse(int row) {
    return heads(row)[head(row) + 2];
  }

  /** Makes a row of an absent one, or changes one; its floats are the caller's to change. */
  void change(int row, int epoch, long uses, long lastUse) {
    setHead(row, epoch, uses, lastUse);
    dirty += (marks[row] & DIRTY) == 0 ? 1 : 0;
    untold += (marks[row] & UNTOLD) == 0 ? 1 : 0;
    marks[row] = USED | DIRTY | WARM | UNTOLD;
  }

  private void setHead(int row, int epoch, long uses, long lastUse) {
    long[] piece = heads(row);
    int head = head(row);
    piece[head + 1] = uses | (long) epoch << EPOCH_SHIFT;
    piece[head + 2] = lastUse;
  }

  /** Makes a row absent, here and in the store. */
  void remove(int row) {
    dirty -= (marks[row] & DIRTY) == 0 ? 0 : 1;
    untold -= (marks[row] & UNTOLD) == 0 ? 0 : 1;
    marks[row] = ABSENT;
    store.remove(id(row));
    changes.removed(id(row));
  }

  private long[] heads(int row) {
    return heads[row >>> PIECE_BITS];
  }

  private static int head(int row) {
    return (row & PIECE - 1) * HEAD;
  }

  /** Tells of all rows that are here. */
  void hottest(HottestRows hottest) {
    for (int row = 0; row < size; row++) {
      if ((marks[row] & ABSENT) == 0) {
        hottest.add(id(row), uses(row));
      }
    }
  }

  /**
   * Finds rows that have changed lately.
   *
   * @param rows takes where they lie, the most recently loaded ones first
   * @return how many there are, at most as many as {@code rows} has room for
   */
  int changed(int[] rows) {
    int found = 0;
    for (int row = size - 1; row >= 0 && found < rows.length; row--) {
      if ((marks[row] & ABSENT) == 0 && (marks[row] & (DIRTY | WARM)) != 0) {
        rows[found++] = row;
      }
    }
    return found;
  }

  /** Rows that differ from what the store has. */
  int dirty() {
    return dirty;
  }

  long hits() {
    return hits;
  }

  long misses() {
    return misses;
  }

  long written() {
    return written;
  }
}
