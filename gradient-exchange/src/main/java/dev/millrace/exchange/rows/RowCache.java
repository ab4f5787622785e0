package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * The rows of a table that were used lately, on the heap: an arena of parallel arrays, which grows
 * in pieces up to a fixed number of rows, and an open-addressing index. No object is made for a
 * row. A row that isn't here is loaded in the place of one that wasn't used lately (CLOCK: Corbató
 * 1968), which is written into the store if that has none of it. What has changed and is here, is
 * saved as a {@link RowJournal}. An id without a row is kept too, as absent, so that a push needn't
 * look again for what the pull before it didn't find. Belongs to one thread.
 */
final class RowCache {

  private static final int PIECE_BITS = 12;
  private static final int PIECE = 1 << PIECE_BITS;

  /** Longs of a row's head: its id, its uses and epoch, its last use. */
  private static final int HEAD = 3;

  private static final int EPOCH_SHIFT = 48;
  private static final int FIRST_INDEX = 1 << 10;
  private static final int FIRST_LEFT = 64;

  /** The most rows whose index has at most 2^30 places. */
  static final int MOST_ROWS = 1 << 29;

  /** Used since the clock's hand came by. */
  private static final byte USED = 1;

  /** Differs from what is saved. */
  private static final byte DIRTY = 2;

  /** There is no such row. */
  private static final byte ABSENT = 4;

  /** A sheet of the journal has it: as it is, or older where it is dirty. */
  private static final byte JOURNALED = 8;

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

  /** The place of the sheet that has a row's newest copy. */
  private byte[] places;

  /**
   * Row + 1 at the place of its id or behind it, with the upper half of the id's hash above it: so
   * ids of other rows need hardly ever be looked at. 0 for a free place; at most half is taken.
   */
  private long[] index;

  private int size;
  private int hand;
  private int present;
  private int dirty;
  private int untold;

  private long[] left = new long[FIRST_LEFT];
  private int leftSize;

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
    this.places = new byte[marks.length];
    this.index = new long[FIRST_INDEX];
  }

  /**
   * Counts a use of a row.
   *
   * @param found where {@link #find} found it
   * @return where it lies; negative if it isn't here
   */
  int use(int found, long id) {
    int row = found >= 0 && id(found) == id ? found : find(id);
    if (row >= 0) {
      hits++;
      marks[row] |= USED;
    }
    return row;
  }

  /**
   * Returns where the row of an id lies, which holds until the next {@link #load}; negative if it
   * isn't here.
   */
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

  /**
   * Loads a row that isn't here, or marks it as absent; returns where it lies.
   *
   * @param all rows of the table: if so many are here, the store needn't be asked
   */
  int load(long id, long all) {
    misses++;
    byte[] bytes = present < all ? store.get(id) : null;
    if (bytes != null) {
      format.check(id, bytes, 0, bytes.length);
    }
    int row = placed(id);
    if (bytes == null) {
      marks[row] = ABSENT;
    } else {
      marks[row] = USED;
      take(row, bytes, 0);
    }
    return row;
  }

  /** Takes a row from the sheet at a place, of an id that isn't here. */
  void restore(long id, byte[] bytes, int from, int place) {
    int row = placed(id);
    marks[row] = USED | JOURNALED;
    places[row] = (byte) place;
    take(row, bytes, from);
  }

  private int placed(long id) {
    int row = size < capacity ? added() : evicted();
    heads(row)[head(row)] = id;
    enter(id, row);
    return row;
  }

  private void take(int row, byte[] bytes, int from) {
    present++;
    setHead(
        row,
        RowFormat.epoch(bytes, from),
        RowFormat.uses(bytes, from),
        RowFormat.lastUse(bytes, from));
    format.floats(bytes, from, floats(row), at(row));
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
      places = Arrays.copyOf(places, marks.length);
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
    present -= absent(row) ? 0 : 1;
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

  /** Writes a row into the store that may have none of it, or an older one. */
  private void write(int row) {
    if ((marks[row] & (DIRTY | JOURNALED)) != 0) {
      encode(row, scratch, 0);
      store.put(id(row), scratch);
      dirty -= (marks[row] & DIRTY) == 0 ? 0 : 1;
      leaveJournal(row);
      written++;
    }
  }

  private void encode(int row, byte[] bytes, int to) {
    format.encode(bytes, to, epoch(row), uses(row), lastUse(row), floats(row), at(row));
  }

  private void leaveJournal(int row) {
    if ((marks[row] & JOURNALED) != 0) {
      left = leftSize == left.length ? Arrays.copyOf(left, 2 * leftSize) : left;
      left[leftSize++] = id(row);
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

  /**
   * Finds a row that the next sheet is to have: it has changed since the one before.
   *
   * @param from where the search begins
   * @return where it lies; negative if there is none behind {@code from}
   */
  int nextChanged(int from) {
    for (int row = from; row < size && dirty > 0; row++) {
      if ((marks[row] & DIRTY) != 0) {
        return row;
      }
    }
    return -1;
  }

  /**
   * Has the next sheet have a row, changed or not, if the one at a place has its newest copy.
   *
   * @return whether that is so, and the next sheet wouldn't have it otherwise
   */
  boolean keep(int row, int place) {
    boolean kept = (marks[row] & (JOURNALED | DIRTY)) == JOURNALED && places[row] == place;
    if (kept) {
      marks[row] |= DIRTY;
      dirty++;
    }
    return kept;
  }

  /**
   * Writes a row into a sheet, which has its newest copy from now on.
   *
   * @param place of the sheet
   * @return whether no sheet had it before
   */
  boolean save(int row, byte[] bytes, int to, int place) {
    encode(row, bytes, to);
    boolean first = (marks[row] & JOURNALED) == 0;
    marks[row] = (byte) ((marks[row] & ~DIRTY) | JOURNALED);
    places[row] = (byte) place;
    dirty--;
    written++;
    return first;
  }

  /** Takes the ids whose rows the journal had, and that lie in the store now, or nowhere. */
  long[] takeLeft() {
    long[] ids = Arrays.copyOf(left, leftSize);
    leftSize = 0;
    return ids;
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

  long id(int row) {
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
    present += absent(row) ? 1 : 0;
    dirty += (marks[row] & DIRTY) == 0 ? 1 : 0;
    untold += (marks[row] & UNTOLD) == 0 ? 1 : 0;
    marks[row] = (byte) ((marks[row] & JOURNALED) | USED | DIRTY | UNTOLD);
  }

  private void setHead(int row, int epoch, long uses, long lastUse) {
    long[] piece = heads(row);
    int head = head(row);
    piece[head + 1] = uses | (long) epoch << EPOCH_SHIFT;
    piece[head + 2] = lastUse;
  }

  /** Makes a row absent, here and in the store. */
  void remove(int row) {
    present--;
    dirty -= (marks[row] & DIRTY) == 0 ? 0 : 1;
    leaveJournal(row);
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
      if ((marks[row] & ABSENT) == 0 && (marks[row] & (DIRTY | JOURNALED)) != 0) {
        rows[found++] = row;
      }
    }
    return found;
  }

  /** Rows that differ from what is saved. */
  int dirty() {
    return dirty;
  }

  /** Behind the last row; some may be absent. */
  int size() {
    return size;
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
