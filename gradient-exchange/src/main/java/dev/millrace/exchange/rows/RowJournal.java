package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * What is saved of a cache at a barrier. Its rows don't lie in the store under their ids: those
 * that have changed since the barrier before are written together, as one {@link RowSheet} for each
 * key group. So a barrier costs what copying them does, and no store searches for the place of
 * each. A row is written under its id when it leaves the cache; the next sheet says so.
 *
 * <p>A row's copies in older sheets are of no use. Once they are more than half of a group's
 * entries, or the group has no place for a sheet, the oldest sheets go; rows that are still in the
 * cache come into the new one. So a journal has at most about twice the bytes of its rows, as a
 * log-structured file system (Rosenblum, Ousterhout 1992). Belongs to one thread.
 */
final class RowJournal {

  /** Sheets of a group that are dropped at one barrier, at most: it adds one. */
  private static final int DROPPED = 2;

  /** Rows that come into new sheets for it, beside as many as have changed. */
  private static final int KEPT = 1_000;

  private final RowTable table;
  private final RowFormat format;
  private final RowStore store;
  private final TableGroups groups;
  private final RowCache cache;

  /** Rows that the barrier writes, and the group of each. */
  private int[] rows = new int[0];

  private int[] groupOf = new int[0];
  private int size;

  /** The group whose old sheets are dropped first. */
  private int turn;

  RowJournal(RowTable table, RowFormat format, RowStore store, TableGroups groups, RowCache cache) {
    this.table = table;
    this.format = format;
    this.store = store;
    this.groups = groups;
    this.cache = cache;
  }

  /**
   * Puts all rows into the cache that the journal has. What it has no room for goes into the store.
   *
   * @throws DamagedRowException if a sheet is missing, or can't be read
   */
  void load() {
    UniqueIds seen = new UniqueIds();
    for (int group = groups.first(); group <= groups.last(); group++) {
      GroupJournal journal = groups.get(group).journal;
      seen.clear();
      for (long number = journal.next() - 1; number >= journal.first(); number--) {
        load(sheet(group, number), journal, seen);
      }
    }
  }

  private RowSheet sheet(int group, long number) {
    byte[] bytes = store.sheet(group, GroupJournal.place(number));
    RowSheet sheet = bytes == null ? null : RowSheet.read(bytes);
    if (sheet == null || sheet.group() != group || sheet.number() != number) {
      throw new DamagedRowException(
          "Key group %s of table '%s' has lost sheet %s of its journal"
              .formatted(group, table.name(), number));
    }
    return sheet;
  }

  /** Newer sheets come before older ones. */
  private void load(RowSheet sheet, GroupJournal journal, UniqueIds seen) {
    int place = GroupJournal.place(sheet.number());
    for (int i = 0; i < sheet.rows(); i++) {
      int before = seen.size();
      seen.add(sheet.id(i), 0);
      if (seen.size() > before) {
        format.check(sheet.id(i), sheet.bytes(), sheet.at(i), sheet.rowLength());
        cache.restore(sheet.id(i), sheet.bytes(), sheet.at(i), place);
        journal.rows++;
      }
    }
    for (int i = 0; i < sheet.left(); i++) {
      seen.add(sheet.idLeft(i), 0);
    }
    journal.has(sheet.number(), sheet.rows() + sheet.left());
  }

  /** Writes all rows of the cache that have changed since the call before. */
  void write() {
    int[] changed = new int[groups.last() - groups.first() + 1];
    int[] left = new int[changed.length];
    long[] idsLeft = countLeft(left);
    size = 0;
    for (int row = cache.nextChanged(0); row >= 0; row = cache.nextChanged(row + 1)) {
      add(row, groups.number(cache.id(row)) - groups.first());
    }
    for (int i = 0; i < size; i++) {
      changed[groupOf[i]]++;
    }
    dropAll(changed, left, size);
    int[] order = order(changed);
    idsLeft = sortedByGroup(idsLeft, left);
    int row = 0;
    int id = 0;
    for (int group = 0; group < changed.length; group++) {
      if (changed[group] + left[group] > 0) {
        write(group, order, row, changed[group], idsLeft, id, left[group]);
      }
      row += changed[group];
      id += left[group];
    }
  }

  private void add(int row, int group) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, Math.max(64, 2 * size));
      groupOf = Arrays.copyOf(groupOf, rows.length);
    }
    rows[size] = row;
    groupOf[size] = group;
    size++;
  }

  /** Counts the ids by group whose rows have left the journal. */
  private long[] countLeft(int[] counts) {
    long[] ids = cache.takeLeft();
    for (long id : ids) {
      int group = groups.number(id);
      groups.get(group).journal.rows--;
      counts[group - groups.first()]++;
    }
    return ids;
  }

  /**
   * Drops old sheets, group after group, and counts the rows that come into new ones for it. Where
   * those are many, the other groups come first at the next barrier.
   */
  private void dropAll(int[] changed, int[] left, int writes) {
    int most = 2 * writes + KEPT;
    int first = turn;
    for (int i = 0; i < changed.length; i++) {
      int group = (first + i) % changed.length;
      turn = size < most ? group : turn;
      boolean needsRoom = changed[group] + left[group] > 0;
      changed[group] += drop(group, needsRoom, size < most);
    }
  }

  /** Drops old sheets of a group. Returns the rows that come into the new one for it. */
  private int drop(int group, boolean needsRoom, boolean mayTidy) {
    int before = size;
    GroupJournal journal = groups.get(groups.first() + group).journal;
    for (int left = DROPPED; left > 0; left--) {
      if (!(needsRoom && journal.isFull()) && !(mayTidy && journal.isWasteful())) {
        break;
      }
      RowSheet sheet = sheet(groups.first() + group, journal.first());
      int place = GroupJournal.place(journal.drop());
      store.removeSheet(sheet.group(), place);
      groups.get(sheet.group()).changed = true;
      for (int i = 0; i < sheet.rows(); i++) {
        int row = cache.find(sheet.id(i));
        if (row >= 0 && cache.keep(row, place)) {
          add(row, group);
        }
      }
    }
    return size - before;
  }

  /** Returns the rows group by group. */
  private int[] order(int[] counts) {
    int[] next = starts(counts);
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[next[groupOf[i]]++] = rows[i];
    }
    return order;
  }

  private long[] sortedByGroup(long[] ids, int[] counts) {
    int[] next = starts(counts);
    long[] order = new long[ids.length];
    for (long id : ids) {
      order[next[groups.number(id) - groups.first()]++] = id;
    }
    return order;
  }

  private static int[] starts(int[] counts) {
    int[] starts = new int[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
    return starts;
  }

  private void write(int group, int[] order, int row, int n, long[] idsLeft, int id, int m) {
    GroupState state = groups.get(groups.first() + group);
    // Nothing is to be told of sheets that aren't there.
    int told = state.journal.isEmpty() ? 0 : m;
    if (n + told == 0) {
      return;
    }
    long number = state.journal.add(n + told);
    int place = GroupJournal.place(number);
    RowSheet sheet = RowSheet.of(groups.first() + group, number, format.length(), n, told);
    for (int i = 0; i < n; i++) {
      sheet.setId(i, cache.id(order[row + i]));
      state.journal.rows += cache.save(order[row + i], sheet.bytes(), sheet.at(i), place) ? 1 : 0;
    }
    for (int i = 0; i < told; i++) {
      sheet.setIdLeft(i, idsLeft[id + i]);
    }
    store.putSheet(sheet.group(), place, sheet.bytes());
    state.changed = true;
  }
}
