package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowCursor;
import dev.millrace.exchange.rows.RowStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueState;

/** The rows of one table in Flink's keyed state, a row a key. Belongs to the task's thread. */
final class KeyedRowStore implements RowStore {

  private final ValueState<byte[]> rows;
  private final ValueState<byte[]> groups;
  private final LongConsumer key;
  private final long[] keysOfGroups;
  private final Supplier<Stream<Long>> ids;

  /**
   * @param rows by id
   * @param groups what is kept of a key group, under a key of its own
   * @param key sets Flink's current key
   * @param keysOfGroups has these keys, of all groups
   * @param ids gives all ids that have a row here, whatever becomes of rows while it does
   */
  KeyedRowStore(
      ValueState<byte[]> rows,
      ValueState<byte[]> groups,
      LongConsumer key,
      long[] keysOfGroups,
      Supplier<Stream<Long>> ids) {
    this.rows = rows;
    this.groups = groups;
    this.key = key;
    this.keysOfGroups = keysOfGroups;
    this.ids = ids;
  }

  @Override
  public byte[] get(long id) {
    key.accept(id);
    return read(rows);
  }

  private static byte[] read(ValueState<byte[]> state) {
    try {
      return state.value();
    } catch (IOException e) {
      throw new UncheckedIOException("A row can't be read from state", e);
    }
  }

  private static void write(ValueState<byte[]> state, byte[] value) {
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
    rows.clear();
  }

  @Override
  public byte[] group(int group) {
    key.accept(keysOfGroups[group]);
    return read(groups);
  }

  @Override
  public void putGroup(int group, byte[] state) {
    key.accept(keysOfGroups[group]);
    write(groups, state);
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
