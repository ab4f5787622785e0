package dev.millrace.exchange.rows;

/**
 * Goes through the ids of all rows of a table: those of the cache, then those of the store. A row
 * that leaves the cache before it was told of is in the store by then. One that is in both is told
 * of twice. Belongs to one thread.
 */
final class RowPass implements RowCursor {

  private final RowCache cache;
  private final RowStore store;
  private int row;
  private long id;

  /** Goes through the store; null before that. */
  private RowCursor stored;

  RowPass(RowCache cache, RowStore store) {
    this.cache = cache;
    this.store = store;
  }

  @Override
  public boolean next() {
    for (; row < cache.size(); row++) {
      if (!cache.absent(row)) {
        id = cache.id(row++);
        return true;
      }
    }
    if (stored == null) {
      stored = store.ids();
    }
    boolean more = stored.next();
    if (more) {
      id = stored.id();
    }
    return more;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public void close() {
    if (stored != null) {
      stored.close();
    }
  }
}
