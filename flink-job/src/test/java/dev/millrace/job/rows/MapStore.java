package dev.millrace.job.rows;

import dev.millrace.exchange.rows.RowCursor;
import dev.millrace.exchange.rows.RowStore;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Rows of a shard, in a map. */
final class MapStore implements RowStore {

  private final Map<Long, byte[]> rows = new HashMap<>();
  private final Map<Integer, byte[]> groups = new HashMap<>();
  private final Map<List<Integer>, byte[]> sheets = new HashMap<>();

  @Override
  public byte[] get(long id) {
    return rows.get(id);
  }

  @Override
  public void put(long id, byte[] row) {
    rows.put(id, row.clone());
  }

  @Override
  public void remove(long id) {
    rows.remove(id);
  }

  @Override
  public byte[] group(int group) {
    return groups.get(group);
  }

  @Override
  public void putGroup(int group, byte[] state) {
    groups.put(group, state);
  }

  @Override
  public byte[] sheet(int group, int place) {
    return sheets.get(List.of(group, place));
  }

  @Override
  public void putSheet(int group, int place, byte[] sheet) {
    sheets.put(List.of(group, place), sheet);
  }

  @Override
  public void removeSheet(int group, int place) {
    sheets.remove(List.of(group, place));
  }

  @Override
  public RowCursor ids() {
    Iterator<Long> ids = List.copyOf(rows.keySet()).iterator();
    return new RowCursor() {

      private long id;

      @Override
      public boolean next() {
        if (!ids.hasNext()) {
          return false;
        }
        id = ids.next();
        return true;
      }

      @Override
      public long id() {
        return id;
      }

      @Override
      public void close() {}
    };
  }
}
