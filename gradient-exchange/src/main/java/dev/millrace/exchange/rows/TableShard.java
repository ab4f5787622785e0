package dev.millrace.exchange.rows;

import dev.millrace.exchange.minibatch.RecordClock;

/** The rows of one table in one shard. Belongs to one thread. */
final class TableShard implements AutoCloseable {

  /** Rows that are told of at once, of those that aren't known to readers. */
  private static final int RETOLD = 10_000;

  /** Rows whose norms are reported. */
  private static final int NORMED = 1_000;

  private final RowTable table;
  private final long tableHash;
  private final Expiry expiry;
  private final TableChanges changes;
  private final RowCache cache;
  private final TableGroups groups;
  private final RowJournal journal;
  private final RowSweep sweep;
  private final RowRetelling retelling;
  private final long mostRowsOfGroup;

  /** Where rows of a message were found. */
  private int[] looked = new int[0];

  /** A row while it is updated: it is taken over once all of it is known to be finite. */
  private final float[] updated;

  /** Expiry goes by it: by the timestamps, or the number of examples, that were told of. */
  private RecordClock clock;

  private boolean clockChanged;
  private long usesPushed;

  /**
   * Goes on from what the store has.
   *
   * @param cachedRows the most rows on the heap
   */
  TableShard(
      RowTable table, RowStore store, KeyGroups keyGroups, TableChanges changes, int cachedRows) {
    this.table = table;
    this.tableHash = table.hash();
    this.expiry = table.expiry();
    this.changes = changes;
    RowFormat format = new RowFormat(table);
    this.cache = new RowCache(format, store, cachedRows, changes);
    RecordClock firstClock = expiry.byTime() ? RecordClock.UNKNOWN : RecordClock.at(0);
    this.groups = new TableGroups(table, store, keyGroups, firstClock);
    this.journal = new RowJournal(table, format, store, groups, cache);
    this.clock = groups.clock();
    journal.load();
    this.sweep = new RowSweep(this, store, format);
    this.retelling = new RowRetelling(this, store, format);
    if (changes.listener() == 0) {
      groups.knownTo(0);
    } else if (!groups.areKnownTo(changes.listener())) {
      retelling.begin();
    }
    long share = table.mostRows() / keyGroups.total();
    this.mostRowsOfGroup = share + (table.mostRows() % keyGroups.total() == 0 ? 0 : 1);
    this.updated = new float[table.floats()];
  }

  /** See {@link RowShard#pull}. */
  void pull(long[] ids, int from, int n, float[] values, int at, int[] usesOrNull) {
    int dimension = table.dimension();
    look(ids, from, n);
    for (int i = 0; i < n; i++) {
      long id = ids[from + i];
      int row = row(i, id);
      if (cache.absent(row) || expired(cache.lastUse(row))) {
        table.initial().fill(tableHash, id, values, at + i * dimension, dimension);
        if (usesOrNull != null) {
          usesOrNull[from + i] = 0;
        }
      } else {
        if (usesOrNull != null) {
          usesOrNull[from + i] = (int) Math.min(Integer.MAX_VALUE, cache.uses(row));
        }
        System.arraycopy(cache.floats(row), cache.at(row), values, at + i * dimension, dimension);
      }
    }
  }

  /**
   * Looks where the rows of ids lie in the cache. Each look waits for memory, and looks that don't
   * depend on each other wait together.
   */
  private void look(long[] ids, int from, int n) {
    if (looked.length < n) {
      looked = new int[n + n / 2];
    }
    for (int i = 0; i < n; i++) {
      looked[i] = cache.find(ids[from + i]);
    }
  }

  /**
   * Says where the row of an id lies in the cache, and loads it if it isn't there, or has left
   * since it was looked for. An id that is there already is of this shard.
   */
  private int row(int number, long id) {
    int row = cache.use(looked[number], id);
    if (row < 0) {
      groups.number(id);
      row = cache.load(id, groups.rows());
    }
    return row;
  }

  /** Whether a row is over. One that was used before any time was told doesn't age. */
  boolean expired(long lastUse) {
    return expiry.expires()
        && lastUse != RecordClock.EARLIEST
        && clock.now() - lastUse > expiry.length();
  }

  /**
   * Tells of a minibatch, before its ids are pushed.
   *
   * @param time the latest of its timestamps, or {@link RowPush#NO_TIME}
   */
  void advance(long time, int examples) {
    RecordClock before = clock;
    if (!expiry.byTime()) {
      clock = RecordClock.at(Math.min(clock.now() + examples, -RecordClock.EARLIEST));
    } else if (time != RowPush.NO_TIME) {
      clock = clock.told(time, expiry.part());
    }
    clockChanged |= !clock.equals(before);
  }

  /** See {@link RowShard#push}; {@link #advance} was called. */
  void push(
      long[] ids,
      int from,
      int n,
      float[] gradients,
      int gradientsFrom,
      int[] uses,
      RowMinibatch minibatch) {
    long now = expiry.byTime() ? clock.use(minibatch.time()) : clock.now();
    look(ids, from, n);
    for (int i = 0; i < n; i++) {
      long id = ids[from + i];
      int row = row(i, id);
      if (!cache.absent(row) && expired(cache.lastUse(row))) {
        expire(id, row);
      }
      int more = uses[from + i];
      usesPushed += more;
      if (!cache.absent(row)) {
        cache.change(
            row,
            cache.epoch(row),
            cache.uses(row) + more,
            more == 0 ? cache.lastUse(row) : Math.max(cache.lastUse(row), now));
      } else if (admitted(id, more)) {
        create(id, row, more, now, minibatch.epoch());
      } else {
        continue;
      }
      update(id, row, gradients, gradientsFrom + i * table.dimension(), minibatch);
    }
  }

  /** Removes an expired row; its uses stay counted. */
  void expire(long id, int row) {
    expired(id, cache.uses(row));
    cache.remove(row);
  }

  /** Counts a row that was removed. */
  void expired(long id, long uses) {
    GroupState group = groups.of(id);
    groups.add(group, -1);
    group.expired++;
    group.usesExpired += uses;
    group.changed = true;
  }

  private boolean admitted(long id, int uses) {
    GroupState group = groups.of(id);
    group.changed = true;
    if (group.rows >= mostRowsOfGroup) {
      group.refused++;
      group.usesWithoutRow += uses;
      return false;
    }
    Admission admission = table.admission();
    boolean known = uses > 0;
    if (known && admission.uses() > 1) {
      known = group.sketch(admission.cells()).add(id, uses) >= admission.uses();
    }
    if (!known) {
      group.waiting++;
      group.usesWithoutRow += uses;
      return false;
    }
    return true;
  }

  private void create(long id, int row, int uses, long now, int epoch) {
    int dimension = table.dimension();
    table.initial().fill(tableHash, id, cache.floats(row), cache.at(row), dimension);
    table.updater().reset(cache.floats(row), cache.at(row), dimension);
    cache.change(row, epoch, uses, now);
    GroupState group = groups.of(id);
    groups.add(group, 1);
    group.created++;
  }

  private void update(long id, int row, float[] gradients, int from, RowMinibatch minibatch) {
    int dimension = table.dimension();
    float[] floats = cache.floats(row);
    int at = cache.at(row);
    if (minibatch.epoch() > cache.epoch(row)) {
      table.updater().reset(floats, at, dimension);
      cache.change(row, minibatch.epoch(), cache.uses(row), cache.lastUse(row));
    }
    boolean sound = finite(gradients, from, dimension);
    if (sound) {
      System.arraycopy(floats, at, updated, 0, updated.length);
      table.updater().update(updated, 0, dimension, gradients, from, minibatch.scale());
      sound = finite(updated, 0, updated.length);
    }
    if (sound) {
      System.arraycopy(updated, 0, floats, at, updated.length);
    } else {
      GroupState group = groups.of(id);
      group.refused++;
      group.changed = true;
    }
  }

  private static boolean finite(float[] values, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (!Float.isFinite(values[i])) {
        return false;
      }
    }
    return true;
  }

  /** See {@link RowShard#sweep}. */
  int sweep(int rows) {
    return expiry.expires() ? sweep.go(rows) : 0;
  }

  /** See {@link RowShard#tell}. */
  boolean tell() {
    boolean more = retelling.go(RETOLD);
    if (!more && !groups.areKnownTo(changes.listener())) {
      groups.knownTo(changes.listener());
    }
    cache.tell();
    return more;
  }

  /** See {@link RowShard#flush}. */
  void flush() {
    journal.write();
    groups.save(clock, clockChanged && expiry.expires());
    clockChanged = false;
  }

  RowCounts counts() {
    return groups.counts(cache);
  }

  /** Uses that were pushed since this was opened. */
  long uses() {
    return usesPushed;
  }

  /** See {@link RowShard#report}. */
  RowReport report(int shard, int shards, int number) {
    HottestRows hottest = new HottestRows(RowReport.HOTTEST);
    cache.hottest(hottest);
    int[] changed = new int[NORMED];
    int normed = cache.changed(changed);
    double norms = 0;
    for (int i = 0; i < normed; i++) {
      norms += norm(cache.floats(changed[i]), cache.at(changed[i]));
    }
    return new RowReport(
        shard,
        shards,
        number,
        counts(),
        dirty(),
        usesPushed,
        norms,
        normed,
        hottest.ids(),
        hottest.uses());
  }

  private double norm(float[] floats, int at) {
    double squares = 0;
    for (int i = at; i < at + table.dimension(); i++) {
      squares += (double) floats[i] * floats[i];
    }
    return Math.sqrt(squares);
  }

  int dirty() {
    return cache.dirty();
  }

  RowCache cache() {
    return cache;
  }

  TableChanges changes() {
    return changes;
  }

  RowTable table() {
    return table;
  }

  long clock() {
    return clock.now();
  }

  @Override
  public void close() {
    sweep.close();
    retelling.close();
  }
}
