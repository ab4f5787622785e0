package dev.millrace.exchange.rows;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Which sheets the journal of one key group has. They are numbered one after another, and lie in
 * places that come round. Belongs to one thread.
 */
final class GroupJournal {

  /** Entries that no row needs, beside as many as there are rows. */
  private static final int SLACK = 16;

  /** The oldest sheet. */
  private long first;

  /** The next sheet. */
  private long next;

  /** Entries of the sheet in each place. */
  private final int[] sizes = new int[RowStore.SHEETS];

  private long entries;

  /** Rows whose newest copy is in the journal. */
  long rows;

  static int place(long sheet) {
    return (int) (sheet % RowStore.SHEETS);
  }

  long first() {
    return first;
  }

  long next() {
    return next;
  }

  boolean isEmpty() {
    return first == next;
  }

  boolean isFull() {
    return next - first == RowStore.SHEETS;
  }

  /** Whether more than half of the entries are of no use. An empty one has none. */
  boolean isWasteful() {
    return entries > 2 * rows + SLACK;
  }

  /** Takes note of a sheet that is there. */
  void has(long sheet, int size) {
    sizes[place(sheet)] = size;
    entries += size;
  }

  /** Adds a sheet; returns its number. */
  long add(int size) {
    has(next, size);
    return next++;
  }

  /** Drops the oldest sheet; returns its number. */
  long drop() {
    entries -= sizes[place(first)];
    return first++;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(first);
    out.writeLong(next);
  }

  void read(DataInputStream in) throws IOException {
    first = in.readLong();
    next = in.readLong();
    if (first < 0 || next < first || next - first > RowStore.SHEETS) {
      throw new IOException("its journal has the sheets from %s to %s".formatted(first, next));
    }
  }
}
