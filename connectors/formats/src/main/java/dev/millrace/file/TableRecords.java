package dev.millrace.file;

import dev.millrace.fields.csv.CsvColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Rows of a CSV file as records of named fields. Whoever reads them judges their values; a row that
 * has other cells than the first line is an {@link InvalidRowException}.
 */
public final class TableRecords implements RecordSequence {

  private final NamedTable table;
  private final int[] columns;
  private final Function<List<String>, byte[]> form;
  private final String[] cells;
  private long left = Long.MAX_VALUE;

  private TableRecords(NamedTable table, int[] columns, Function<List<String>, byte[]> form) {
    this.table = table;
    this.columns = columns;
    this.form = form;
    this.cells = new String[columns.length];
  }

  /**
   * Rows as lines of csv, without a header: the columns that the layout names, in its order, or
   * else those of the file.
   *
   * @throws IOException if the file can't be read
   */
  public static TableRecords lines(Path file, FieldTable layout) throws IOException {
    NamedTable table = layout.open(file, layout.features().plan());
    boolean named = !layout.columns().isEmpty() && !table.header().isEmpty();
    int[] columns = named ? CsvColumns.places(layout.columns(), table.header()) : all(table);
    return new TableRecords(table, columns, cells -> RowForms.line(cells, layout.separator()));
  }

  private static int[] all(NamedTable table) {
    return IntStream.range(0, table.columns()).toArray();
  }

  /**
   * Rows as JSON objects, whose members are called as the columns: numbers where a described field
   * is one. A cell without content is no member.
   *
   * @throws IOException if the file can't be read, or its columns have no names
   */
  public static TableRecords objects(Path file, FieldTable layout) throws IOException {
    NamedTable table = layout.open(file, layout.features().plan());
    List<String> names = layout.names(table);
    if (names.size() != table.columns()) {
      table.close();
      throw new IOException(
          "%s has %s columns and %s names of them; an object needs the name of each"
              .formatted(file, table.columns(), names.size()));
    }
    return new TableRecords(table, all(table), new RowForms(names, layout)::object);
  }

  /**
   * Leaves out the last rows, which are held out.
   *
   * @throws IOException if the file can't be read, or has fewer rows
   */
  public TableRecords before(long holdOut, FieldTable layout) throws IOException {
    try {
      left = holdOut == 0 ? Long.MAX_VALUE : layout.rowsBefore(table.file(), holdOut);
      return this;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public boolean next() throws IOException {
    if (!skip()) {
      return false;
    }
    table.requireAllCells();
    return true;
  }

  @Override
  public boolean skip() throws IOException {
    return left-- > 0 && table.next();
  }

  /** Returns where this row begins in the file, counted from 1. */
  public long line() {
    return table.line();
  }

  @Override
  public byte[] key() {
    return null;
  }

  @Override
  public byte[] value() {
    for (int i = 0; i < cells.length; i++) {
      cells[i] = table.cell(columns[i]);
    }
    return form.apply(List.of(cells));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
