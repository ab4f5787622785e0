package dev.millrace.exchange.rows;

/**
 * Removes the expired rows of a table, some at a time. From the beginning of one pass over all rows
 * to that of the next, an eighth of the expiry passes at least: a row may be there as much longer,
 * unseen. A new attempt begins a pass anew. Belongs to one thread.
 */
final class RowSweep implements AutoCloseable {

  private final TableShard shard;
  private final RowStore store;
  private final RowFormat format;

  /** Goes through the rows; null between passes. */
  private RowCursor cursor;

  /** The clock when the latest pass began. */
  private long began;

  private boolean beganBefore;

  RowSweep(TableShard shard, RowStore store, RowFormat format) {
    this.shard = shard;
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
      }
    }
    return looked;
  }

  private boolean open() {
    if (beganBefore && shard.clock() - began < shard.table().expiry().part()) {
      return false;
    }
    beganBefore = true;
    began = shard.clock();
    cursor = new RowPass(shard.cache(), store);
    return true;
  }

  private void look(long id) {
    RowCache cache = shard.cache();
    int row = cache.find(id);
    if (row >= 0) {
      // The store may have an older last use, or none.
      if (!cache.absent(row) && shard.expired(cache.lastUse(row))) {
        shard.expire(id, row);
      }
      return;
    }
    byte[] bytes = store.get(id);
    if (bytes == null) {
      return;
    }
    format.check(id, bytes, 0, bytes.length);
    if (shard.expired(RowFormat.lastUse(bytes, 0))) {
      shard.expired(id, RowFormat.uses(bytes, 0));
      store.remove(id);
      shard.changes().removed(id);
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
