package dev.millrace.exchange.rows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongToIntFunction;

/** A store on the heap, which counts what it is asked for. */
final class HeapRowStore implements RowStore {

  final Map<Long, byte[]> rows = new HashMap<>();
  final Map<Integer, byte[]> groups = new HashMap<>();

  long gets;
  long puts;
  int openCursors;

  private final LongToIntFunction groupOf;

  HeapRowStore(LongToIntFunction groupOf) {
    this.groupOf = groupOf;
  }

  /** Takes what another one has of some key groups. */
  void take(HeapRowStore other, int first, int last) {
    other.rows.forEach(
        (id, row) -> {
          int group = groupOf.applyAsInt(id);
          if (group >= first && group <= last) {
            rows.put(id, row.clone());
          }
        });
    other.groups.forEach(
        (group, state) -> {
          if (group >= first && group <= last) {
            groups.put(group, state.clone());
          }
        });
  }

  @Override
  public byte[] get(long id) {
    gets++;
    return rows.get(id);
  }

  @Override
  public void put(long id, byte[] row) {
    puts++;
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
  public RowCursor ids() {
    openCursors++;
    return new ListCursor(new ArrayList<>(rows.keySet()).iterator());
  }

  private final class ListCursor implements RowCursor {

    private final Iterator<Long> ids;
    private long id;

    ListCursor(Iterator<Long> ids) {
      this.ids = ids;
    }

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
    public void close() {
      openCursors--;
    }
  }
}
