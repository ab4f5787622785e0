package dev.millrace.cli.rows;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.exchange.savepoint.SavedRows;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The tables of a savepoint. Their rows are read as often as they are asked for. */
public final class StoredTables {

  /** A model is kept without tables. */
  public static final StoredTables NONE =
      new StoredTables(List.of(), (tables, consumer) -> {}, Map::of);

  /** Rows between two times that somebody is told how far reading has come. */
  private static final int OFTEN = 1 << 14;

  /** Where the rows are. */
  @FunctionalInterface
  interface Rows {

    /** Hands out all rows of some tables. */
    void forEach(List<SavedTable> tables, SavedRows.Consumer consumer) throws IOException;
  }

  /** Where uses are that no row has yet. */
  @FunctionalInterface
  public interface Held {

    /** Returns them by the names of tables. */
    Map<String, Long> uses() throws IOException;
  }

  private final Rows rows;
  private final Held held;
  private final List<SavedTable> tables;

  StoredTables(List<SavedTable> tables, Rows rows, Held held) {
    this.tables = List.copyOf(tables);
    this.rows = rows;
    this.held = held;
  }

  /**
   * Finds out which tables there are.
   *
   * @throws IOException if they can't be read
   */
  public static StoredTables of(SavedRows saved, Held held) throws IOException {
    return new StoredTables(saved.tables(), saved::forEach, held);
  }

  /** Returns the tables by name; none of a job without rows. */
  public List<SavedTable> tables() {
    return tables;
  }

  /**
   * Returns the uses of a table whose pushes wait for the end of their round, by the names of
   * tables.
   *
   * @throws IOException if they can't be read
   */
  public Map<String, Long> heldUses() throws IOException {
    return held.uses();
  }

  /**
   * Hands out all rows, of all tables, in any order.
   *
   * @throws IOException if they can't be read, or the consumer fails
   */
  public void forEach(SavedRows.Consumer consumer, ReadingProgress progress) throws IOException {
    long all = tables.stream().mapToLong(table -> table.counts().rows()).sum();
    long[] read = new long[1];
    rows.forEach(
        tables,
        (table, row) -> {
          consumer.accept(table, row);
          if (++read[0] % OFTEN == 0) {
            progress.rows(read[0], all);
          }
        });
  }
}
