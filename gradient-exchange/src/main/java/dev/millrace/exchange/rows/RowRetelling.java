package dev.millrace.exchange.rows;

/**
 * Tells of all rows of a table, some at a time, where they weren't told of when they changed: the
 * table is older than its readers. Belongs to one thread.
 */
final class RowRetelling implements AutoCloseable {

  private final TableShard shard;
  private final RowStore store;
  private final RowFormat format;
  private final float[] row;

  /** Goes through the rows; null where there is nothing to tell. */
  private RowCursor cursor;

  RowRetelling(TableShard shard, RowStore store, RowFormat format) {
    this.shard = shard;
    this.store = store;
    this.format = format;
    this.row = new float[format.floats()];
  }

  /** Begins with the first row. */
  void begin() {
    cursor = new RowPass(shard.cache(), store);
  }

  /**
   * Tells of as many rows.
   *
   * @return whether there are more
   */
  boolean go(int rows) {
    if (cursor == null) {
      return false;
    }
    for (int left = rows; left > 0; left--) {
      if (!cursor.next()) {
        close();
        return false;
      }
      tell(cursor.id());
    }
    return true;
  }

  private void tell(long id) {
    RowCache cache = shard.cache();
    int cached = cache.find(id);
    if (cached >= 0) {
      cache.tellAgain(cached);
      return;
    }
    byte[] bytes = store.get(id);
    if (bytes != null) {
      format.check(id, bytes, 0, bytes.length);
      format.floats(bytes, 0, row, 0);
      shard.changes().changed(id, row, 0);
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
