package dev.millrace.exchange.rows;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows of all tables in one shard. What it does depends on the order of pulls and pushes alone:
 * not on the size of the cache, on when rows are written or swept, or on the number of shards, as
 * long as no table that has a limit of rows expires them too. Belongs to one thread.
 */
public final class RowShard implements AutoCloseable {

  private static final int[] NO_USES = {};

  private final List<TableShard> tables = new ArrayList<>();

  /** The table that is swept next. */
  private int swept;

  /**
   * Goes on from what the stores have.
   *
   * @param tables in the order of their numbers
   * @param stores one for each table
   * @param groups the key groups of the shard
   * @param cachedRows for each table the most rows on the heap; a row takes about 50 bytes and 4
   *     for each float
   * @throws DamagedRowException if what is saved can't be read
   */
  public RowShard(
      List<RowTable> tables, List<RowStore> stores, KeyGroups groups, int... cachedRows) {
    this(tables, stores, groups, RowChanges.NONE, cachedRows);
  }

  /**
   * Goes on from what the stores have, and tells of changes.
   *
   * @param changes is told of a row that has changed when it leaves the heap, at {@link #tell}, and
   *     when it is removed: so of its latest values, and of some in between
   */
  public RowShard(
      List<RowTable> tables,
      List<RowStore> stores,
      KeyGroups groups,
      RowChanges changes,
      int... cachedRows) {
    if (stores.size() != tables.size() || cachedRows.length != tables.size()) {
      throw new IllegalArgumentException(
          "%s tables have %s stores and %s caches"
              .formatted(tables.size(), stores.size(), cachedRows.length));
    }
    for (int i = 0; i < tables.size(); i++) {
      this.tables.add(
          new TableShard(
              tables.get(i), stores.get(i), groups, new TableChanges(changes, i), cachedRows[i]));
    }
  }

  /**
   * Reads values of ids; of those without a row the initial ones. No row comes to be or changes;
   * one that has changed before may be written.
   *
   * @param table number of the table
   * @param ids of this shard, {@code n} from {@code from} on
   * @param values takes the table's dimension for each id, from {@code at} on
   * @param usesOrNull takes how often each id's row was used, from {@code from} on; 0 of those
   *     without
   */
  public void pull(
      int table, long[] ids, int from, int n, float[] values, int at, int[] usesOrNull) {
    tables.get(table).pull(ids, from, n, values, at, usesOrNull);
  }

  /** Answers a pull. */
  public RowAnswer answer(RowPull pull) {
    checkTables(pull.ends());
    int length = 0;
    for (int i = 0; i < tables.size(); i++) {
      length = Math.addExact(length, floats(pull.ends(), i));
    }
    float[] values = new float[length];
    int[] usesOrNull = pull.wantsUses() ? new int[pull.ids().length] : null;
    int at = 0;
    for (int i = 0; i < tables.size(); i++) {
      pull(i, pull.ids(), start(pull.ends(), i), count(pull.ends(), i), values, at, usesOrNull);
      at += floats(pull.ends(), i);
    }
    return new RowAnswer(
        pull.shard(), pull.number(), values, usesOrNull == null ? NO_USES : usesOrNull);
  }

  /**
   * Updates rows, makes those that are admitted, and counts uses. {@link #advance} comes before it.
   *
   * @param table number of the table
   * @param ids of this shard, {@code n} from {@code from} on
   * @param gradients the table's dimension for each id, from {@code gradientsFrom} on
   * @param uses how often the minibatch has each id, from {@code from} on; at least 1
   */
  public void push(
      int table,
      long[] ids,
      int from,
      int n,
      float[] gradients,
      int gradientsFrom,
      int[] uses,
      RowMinibatch minibatch) {
    tables.get(table).push(ids, from, n, gradients, gradientsFrom, uses, minibatch);
  }

  /** Tells each table of a minibatch, before its pushes: expiry goes by this. */
  public void advance(RowMinibatch minibatch) {
    for (TableShard table : tables) {
      table.advance(minibatch.time(), minibatch.examples());
    }
  }

  /** Applies a push to all tables. */
  public void apply(RowPush push) {
    checkTables(push.ends());
    int length = 0;
    for (int i = 0; i < tables.size(); i++) {
      length = Math.addExact(length, floats(push.ends(), i));
    }
    if (push.gradients().length != length) {
      throw new IllegalArgumentException(
          "A push has %s gradients, and its %s ids take %s: sender and shard have other tables"
              .formatted(push.gradients().length, push.ids().length, length));
    }
    advance(push.minibatch());
    int at = 0;
    for (int i = 0; i < tables.size(); i++) {
      int start = start(push.ends(), i);
      int count = count(push.ends(), i);
      push(i, push.ids(), start, count, push.gradients(), at, push.uses(), push.minibatch());
      at += floats(push.ends(), i);
    }
  }

  private void checkTables(int[] ends) {
    if (ends.length != tables.size()) {
      throw new IllegalArgumentException(
          "A message has ids of %s tables, and the shard has %s tables"
              .formatted(ends.length, tables.size()));
    }
  }

  private int floats(int[] ends, int table) {
    return Math.multiplyExact(count(ends, table), tables.get(table).table().dimension());
  }

  private static int start(int[] ends, int table) {
    return table == 0 ? 0 : ends[table - 1];
  }

  private static int count(int[] ends, int table) {
    return ends[table] - start(ends, table);
  }

  /**
   * Removes expired rows from the stores.
   *
   * @param rows that are looked at, at most
   * @return those that were looked at; fewer if nothing is due
   */
  public int sweep(int rows) {
    int looked = 0;
    for (int turns = tables.size(); turns > 0 && looked < rows; turns--) {
      looked += tables.get(swept).sweep(rows - looked);
      swept = looked < rows ? (swept + 1) % tables.size() : swept;
    }
    return looked;
  }

  /**
   * Tells of all rows that have changed since they were told of, and of some of those that changed
   * while this listener wasn't told.
   *
   * @return whether there are more of those
   */
  public boolean tell() {
    boolean more = false;
    for (TableShard table : tables) {
      more |= table.tell();
    }
    return more;
  }

  /**
   * Writes all that has changed since the call before into the stores: what they have then is the
   * whole shard.
   */
  public void flush() {
    for (TableShard table : tables) {
      table.flush();
    }
  }

  /** Returns the rows of all tables that have changed since {@link #flush}. */
  public int dirty() {
    int dirty = 0;
    for (TableShard table : tables) {
      dirty += table.dirty();
    }
    return dirty;
  }

  /** Returns what became of a table's rows and uses. */
  public RowCounts counts(int table) {
    return tables.get(table).counts();
  }

  /** Returns the rows of a table that have changed since {@link #flush}. */
  public int dirty(int table) {
    return tables.get(table).dirty();
  }

  /** Returns the uses of a table that were pushed since this was opened. */
  public long uses(int table) {
    return tables.get(table).uses();
  }

  /**
   * Looks through the cached rows of a table.
   *
   * @param shard its number, which is told
   * @param shards how many there are, which is told
   */
  public RowReport report(int shard, int shards, int table) {
    return tables.get(table).report(shard, shards, table);
  }

  /** Ends a sweep that is under way. Nothing is written. */
  @Override
  public void close() {
    for (TableShard table : tables) {
      table.close();
    }
  }
}
