package dev.millrace.exchange.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongToIntFunction;

/** A store on the heap, which counts what it is asked for. */
final class HeapRowStore implements RowStore {

  final Map<Long, byte[]> rows = new HashMap<>();
  final Map<Integer, byte[]> groups = new HashMap<>();

  /** By group and place. */
  final Map<List<Integer>, byte[]> sheets = new HashMap<>();

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
    other.sheets.forEach(
        (place, sheet) -> {
          if (place.get(0) >= first && place.get(0) <= last) {
            sheets.put(place, sheet.clone());
          }
        });
  }

  /** All rows: those of the journals come before those under their ids. */
  Map<Long, byte[]> saved() {
    Map<Long, byte[]> journaled = new HashMap<>();
    List<RowSheet> ordered =
        sheets.values().stream()
            .map(RowSheet::read)
            .sorted(Comparator.comparingLong(RowSheet::number))
            .toList();
    for (RowSheet sheet : ordered) {
      for (int i = 0; i < sheet.left(); i++) {
        journaled.remove(sheet.idLeft(i));
      }
      for (int i = 0; i < sheet.rows(); i++) {
        int at = sheet.at(i);
        journaled.put(sheet.id(i), Arrays.copyOfRange(sheet.bytes(), at, at + sheet.rowLength()));
      }
    }
    Map<Long, byte[]> all = new HashMap<>(rows);
    all.putAll(journaled);
    return all;
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
