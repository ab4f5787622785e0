package dev.millrace.model;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Lists of ids: one for each row and field, row-major, of any length. Ids name rows of embedding
 * tables. It grows, and allocates nothing once it is as large as it needs.
 *
 * <p>Not thread-safe.
 */
public final class IdLists {

  /** The lists of examples that have none. */
  public static final IdLists NONE = new IdLists(0);

  private static final int FIRST = 16;

  private final int fields;
  private long[] ids = new long[0];
  private int[] ends = new int[0];
  private int lists;

  /** Ids of the list that is open. */
  private int open;

  /** {@code fields} are the lists of each row. */
  public IdLists(int fields) {
    this.fields = fields;
  }

  /** Makes one row, all of whose lists are empty. */
  public static IdLists ofEmptyRow(int fields) {
    IdLists row = new IdLists(fields);
    for (int field = 0; field < fields; field++) {
      row.end();
    }
    return row;
  }

  /** Adds an id to the list that is open. */
  public void add(long id) {
    int at = start(lists) + open;
    if (at == ids.length) {
      ids = Arrays.copyOf(ids, Math.max(FIRST, 2 * at));
    }
    ids[at] = id;
    open++;
  }

  /** Ends the list that is open; the next one is. */
  public void end() {
    if (lists == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(FIRST, 2 * lists));
    }
    ends[lists] = start(lists) + open;
    lists++;
    open = 0;
  }

  /**
   * Copies a row of others behind the last one; nothing where rows have no lists.
   *
   * @throws IllegalArgumentException if the other's rows have another number of lists
   */
  public void addRow(IdLists from, int row) {
    if (from.fields != fields) {
      throw new IllegalArgumentException(
          "Rows of %s lists of ids, where %s belong".formatted(from.fields, fields));
    }
    if (fields == 0) {
      return;
    }
    int first = row * fields;
    int begin = from.start(first);
    int count = from.start(first + fields) - begin;
    int at = start(lists);
    if (at + count > ids.length) {
      ids = Arrays.copyOf(ids, Math.max(FIRST, Math.max(2 * ids.length, at + count)));
    }
    System.arraycopy(from.ids, begin, ids, at, count);
    if (lists + fields > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(FIRST, Math.max(2 * ends.length, lists + fields)));
    }
    for (int field = 0; field < fields; field++) {
      ends[lists + field] = from.ends[first + field] - begin + at;
    }
    lists += fields;
  }

  /** Takes rows out; those behind them move up. */
  public void remove(BitSet rows) {
    if (fields == 0) {
      return;
    }
    int kept = 0;
    int all = rows();
    for (int row = 0; row < all; row++) {
      if (!rows.get(row)) {
        move(row * fields, kept * fields);
        kept++;
      }
    }
    lists = kept * fields;
  }

  /** Moves a row towards the start. What it overwrites, of ids and of ends, has moved before. */
  private void move(int from, int to) {
    for (int field = 0; field < fields && from > to; field++) {
      int begin = start(from + field);
      int count = ends[from + field] - begin;
      int at = start(to + field);
      System.arraycopy(ids, begin, ids, at, count);
      ends[to + field] = at + count;
    }
  }

  /** Takes all rows out. */
  public void clear() {
    lists = 0;
    open = 0;
  }

  /** Lists of each row. */
  public int fields() {
    return fields;
  }

  /** Whole rows. */
  public int rows() {
    return fields == 0 ? 0 : lists / fields;
  }

  /** Ids of all lists. */
  public int size() {
    return start(lists);
  }

  /**
   * The backing array; list {@code i} lies from {@link #start start(i)} to {@code start(i + 1)}.
   */
  public long[] ids() {
    return ids;
  }

  /** Returns where a list begins; for the number of lists, where the last one ends. */
  public int start(int list) {
    return list == 0 ? 0 : ends[list - 1];
  }

  /** The backing array: where each list ends, row-major. */
  public int[] ends() {
    return ends;
  }

  /** Takes over what others hold, of as many lists a row. */
  public void set(IdLists from) {
    clear();
    for (int row = 0; row < from.rows(); row++) {
      addRow(from, row);
    }
  }

  /** Writes the first rows, with how many lists each has. */
  public void write(DataOutput out, int rows) throws IOException {
    out.writeInt(fields);
    out.writeInt(fields == 0 ? 0 : rows);
    int count = rows * fields;
    for (int list = 0; list < count; list++) {
      out.writeInt(start(list + 1) - start(list));
    }
    BulkArrays.writeLongs(out, ids, start(count));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if there aren't as many ids as the lists say
   */
  public static IdLists read(DataInput in) throws IOException {
    IdLists read = new IdLists(in.readInt());
    int lists = Math.multiplyExact(read.fields, in.readInt());
    int all = 0;
    for (int list = 0; list < lists; list++) {
      int count = in.readInt();
      if (count < 0 || count > Integer.MAX_VALUE - all) {
        throw new IOException("a list of %s ids".formatted(count));
      }
      all += count;
      read.end();
      read.ends[list] = all;
    }
    read.ids = BulkArrays.readLongs(in);
    if (read.ids.length != all) {
      throw new IOException("%s ids, where %s belong".formatted(read.ids.length, all));
    }
    return read;
  }
}
