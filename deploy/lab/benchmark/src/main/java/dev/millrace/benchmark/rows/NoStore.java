package dev.millrace.benchmark.rows;

import dev.millrace.exchange.rows.RowCursor;
import dev.millrace.exchange.rows.RowStore;

/** Keeps nothing: all rows stay in the cache. */
final class NoStore implements RowStore {

  @Override
  public byte[] get(long id) {
    return null;
  }

  @Override
  public void put(long id, byte[] row) {
    throw new IllegalStateException("The cache is too small");
  }

  @Override
  public void remove(long id) {}

  @Override
  public byte[] group(int group) {
    return null;
  }

  @Override
  public void putGroup(int group, byte[] state) {}

  @Override
  public byte[] sheet(int group, int place) {
    return null;
  }

  @Override
  public void putSheet(int group, int place, byte[] sheet) {}

  @Override
  public void removeSheet(int group, int place) {}

  @Override
  public RowCursor ids() {
    throw new IllegalStateException("There are no rows here");
  }
}
