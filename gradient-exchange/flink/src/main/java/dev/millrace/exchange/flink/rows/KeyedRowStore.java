package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowCursor;
import dev.millrace.exchange.rows.RowStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.internal.InternalValueState;

/**
 * The rows of one table in Flink's keyed state, a row a key. Tables share the states, each with a
 * namespace of its own: RocksDB has a memtable for each state, and a checkpoint writes each of
 * them. Belongs to the task's thread.
 */
final class KeyedRowStore implements RowStore {

  private final InternalValueState<Long, Integer, byte[]> rows;
  private final InternalValueState<Long, Integer, byte[]> groups;
  private final InternalValueState<Long, Integer, byte[]> sheets;
  private final Integer table;
  private final LongConsumer key;
  private final long[][] keysOfGroups;
  private final Supplier<Stream<Long>> ids;

  /**
   * @param rows by id
   * @param groups what is kept of a key group, under the first of its keys
   * @param sheets of its journal, each under another one
   * @param table its namespace
   * @param key sets Flink's current key
   * @param keysOfGroups has these keys, {@link RowStore#SHEETS} of each group
   * @param ids gives all ids that have a row here, whatever becomes of rows while it does
   */
  KeyedRowStore(
      InternalValueState<Long, Integer, byte[]> rows,
      InternalValueState<Long, Integer, byte[]> groups,
      InternalValueState<Long, Integer, byte[]> sheets,
      int table,
      LongConsumer key,
      long[][] keysOfGroups,
      Supplier<Stream<Long>> ids) {
    this.rows = rows;
    this.groups = groups;
    this.sheets = sheets;
    this.table = table;
    this.key = key;
    this.keysOfGroups = keysOfGroups;
    this.ids = ids;
  }

  @Override
  public byte[] get(long id) {
    key.accept(id);
    return read(rows);
  }

  private byte[] read(InternalValueState<Long, Integer, byte[]> state) {
    state.setCurrentNamespace(table);
    try {
      return state.value();
    } catch (IOException e) {
      throw new UncheckedIOException("A row can't be read from state", e);
    }
  }

  private void write(InternalValueState<Long, Integer, byte[]> state, byte[] value) {
    state.setCurrentNamespace(table);
    try {
      state.update(value);
    } catch (IOException e) {
      throw new UncheckedIOException("A row can't be written into state", e);
    }
  }

  @Override
  public void put(long id, byte[] row) {
    key.accept(id);
    // A state on the heap keeps the array itself.
    write(rows, row.clone());
  }

  @Override
  public void remove(long id) {
    key.accept(id);
    rows.setCurrentNamespace(table);
    rows.clear();
  }

  @Override
  public byte[] group(int group) {
    key.accept(keysOfGroups[group][0]);
    return read(groups);
  }

  @Override
  public void putGroup(int group, byte[] state) {
    key.accept(keysOfGroups[group][0]);
    write(groups, state);
  }

  @Override
  public byte[] sheet(int group, int place) {
    key.accept(keysOfGroups[group][place]);
    return read(sheets);
  }

  @Override
  public void putSheet(int group, int place, byte[] sheet) {
    key.accept(keysOfGroups[group][place]);
    write(sheets, sheet);
  }

  @Override
  public void removeSheet(int group, int place) {
    key.accept(keysOfGroups[group][place]);
    sheets.setCurrentNamespace(table);
    sheets.clear();
  }

  @Override
  public RowCursor ids() {
    Stream<Long> all = ids.get();
    Iterator<Long> each = all.iterator();
    return new RowCursor() {

      private long id;

      @Override
      public boolean next() {
        boolean more = each.hasNext();
        if (more) {
          id = each.next();
        }
        return more;
      }

      @Override
      public long id() {
        return id;
      }

      @Override
      public void close() {
        all.close();
      }
    };
  }
}
