package dev.millrace.exchange.rows;

/**
 * Removes the expired rows of a table from the store, some at a time. It takes the key group that
 * was swept longest ago, and leaves it alone then until an eighth of the expiry has passed: a row
 * may be there as much longer, unseen. Belongs to one thread.
 */
final class RowSweep implements AutoCloseable {

  private static final int PARTS = 8;

  private final TableShard shard;
  private final TableGroups groups;
  private final RowStore store;
  private final RowFormat format;

  /** Goes through the group; null between groups. */
  private RowCursor cursor;

  private int group;
  private long began;

  RowSweep(TableShard shard, TableGroups groups, RowStore store, RowFormat format) {
    this.shard = shard;
    this.groups = groups;
    this.store = store;
    this.format = format;
  }

  /** Looks at as many rows; returns at how many it did. */
  int go(int rows) {
    int looked = 0;
    while (looked < rows && (cursor != null || open())) {
      if (cursor.next()) {
        look(cursor.id());
        looked++;
      } else {
        close();
        GroupState state = groups.get(group);
        state.swept = began;
        state.changed = true;
      }
    }
    return looked;
  }

  private boolean open() {
    int oldest = groups.first();
    for (int other = groups.first() + 1; other <= groups.last(); other++) {
      oldest = groups.get(other).swept < groups.get(oldest).swept ? other : oldest;
    }
    long swept = groups.get(oldest).swept;
    long pause = Math.max(1, shard.table().expiry().length() / PARTS);
    if (swept != GroupState.NEVER && shard.clock() - swept < pause) {
      return false;
    }
    group = oldest;
    began = shard.clock();
    cursor = store.ids(group);
    return true;
  }

  private void look(long id) {
    RowCache cache = shard.cache();
    int row = cache.find(id);
    if (row >= 0) {
      // The store may have an older last use.
      if (!cache.absent(row) && shard.expired(cache.lastUse(row))) {
        shard.expire(id, row);
      }
      return;
    }
    byte[] bytes = store.get(id);
    if (bytes == null) {
      return;
    }
    format.check(id, bytes);
    if (shard.expired(RowFormat.lastUse(bytes))) {
      shard.expired(id, RowFormat.uses(bytes));
      store.remove(id);
    }
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
