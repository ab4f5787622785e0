package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.rows.RowOperator;
import dev.millrace.exchange.rows.SavedJournal;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.base.LongSerializer;

/**
 * Reads embedding tables out of a savepoint or checkpoint, without their job. One row or sheet of
 * rows is in memory at a time, and the ids of rows that lay on the job's heap, some 30 bytes each.
 */
public final class SavedRows {

  /** Takes rows one by one. */
  @FunctionalInterface
  public interface Consumer {

    /**
     * Takes a row.
     *
     * @param table its number in the list of tables
     * @param row is the next one's after the call
     */
    void accept(int table, SavedRow row) throws IOException;
  }

  private final SavedStates states;
  private final String rowsUid;

  /**
   * @param rowsUid of the operator that keeps the rows
   */
  public SavedRows(SavedStates states, String rowsUid) {
    this.states = states;
    this.rowsUid = rowsUid;
  }

  /**
   * Returns the tables by name; none where the job has none. What is kept of key groups is read for
   * it, which takes a pass over all of a savepoint unless RocksDB wrote it.
   *
   * @throws SavepointException if they can't be read
   */
  public List<SavedTable> tables() throws SavepointException {
    Map<String, SavedTable> tables = new TreeMap<>();
    states.forEach(
        rowsUid,
        List.of(RowOperator.GROUPS_STATE),
        LongSerializer.INSTANCE,
        (state, namespace, key, in, length) -> {
          SavedTable table = SavedTable.ofGroup(bytes(in, length));
          tables.merge(table.name(), table, SavedTable::plus);
        });
    return List.copyOf(tables.values());
  }

  /**
   * Hands out all rows of some tables, in any order.
   *
   * @param tables some of {@link #tables}
   * @throws SavepointException if they can't be read, or a table has more or fewer than were
   *     counted, in which case all were handed out
   * @throws IOException if the consumer can't take one
   */
  public void forEach(List<SavedTable> tables, Consumer consumer) throws IOException {
    Map<Integer, Integer> numbers = new HashMap<>();
    List<SavedRow> rows = new ArrayList<>();
    for (SavedTable table : tables) {
      numbers.put(RowOperator.namespace(table.name()), numbers.size());
      rows.add(new SavedRow(table));
    }
    List<SavedJournal> journals = journals(numbers);
    long[] read = new long[tables.size()];
    Guarded guarded = new Guarded(consumer);
    try {
      states.forEach(
          rowsUid,
          List.of(RowOperator.ROWS_STATE, RowOperator.SHEETS_STATE),
          LongSerializer.INSTANCE,
          (state, namespace, id, in, length) -> {
            Integer number = numbers.get(namespace);
            if (number == null) {
              return;
            }
            SavedRow row = rows.get(number);
            SavedJournal journal = journals.get(number);
            if (state.equals(RowOperator.SHEETS_STATE)) {
              read[number] +=
                  journal.read(bytes(in, length), row, each -> guarded.accept(number, each));
            } else if (!journal.has(id)) {
              row.read(id, bytes(in, length));
              read[number]++;
              guarded.accept(number, row);
            }
          });
    } catch (SavepointException e) {
      throw guarded.failure == null ? e : guarded.failure;
    }
    for (int i = 0; i < read.length; i++) {
      requireAll(tables.get(i), read[i]);
    }
  }

  private List<SavedJournal> journals(Map<Integer, Integer> numbers) throws SavepointException {
    List<SavedJournal> journals = new ArrayList<>();
    numbers.forEach((namespace, number) -> journals.add(new SavedJournal()));
    states.forEach(
        rowsUid,
        List.of(RowOperator.SHEETS_STATE),
        LongSerializer.INSTANCE,
        (state, namespace, key, in, length) -> {
          Integer number = numbers.get(namespace);
          if (number != null) {
            journals.get(number).note(bytes(in, length));
          }
        });
    return journals;
  }

  /** Tells what the consumer couldn't take from what couldn't be read. */
  private static final class Guarded implements Consumer {

    private final Consumer consumer;
    private IOException failure;

    Guarded(Consumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void accept(int table, SavedRow row) throws IOException {
      try {
        consumer.accept(table, row);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }

  private void requireAll(SavedTable table, long read) throws SavepointException {
    if (read != table.counts().rows()) {
      throw new SavepointException(
          "Table '%s' of %s has %s rows, and %s were counted: rows were lost, or come twice"
              .formatted(table.name(), states.path(), read, table.counts().rows()));
    }
  }

  private static byte[] bytes(DataInput in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
