package dev.millrace.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rows of a CSV file, plain or compressed with gzip, whose columns may be named by its first
 * line. Space around a cell is not part of it.
 *
 * <p>Not thread-safe.
 */
public final class NamedTable implements Closeable {

  private final CsvRows rows;
  private final List<String> header;
  private final int columns;
  private boolean atFirstLine = true;

  private NamedTable(CsvRows rows, Predicate<List<String>> isHeader) throws IOException {
    this.rows = rows;
    if (!rows.next()) {
      throw new IOException("%s is empty: expected rows".formatted(rows.file()));
    }
    List<String> first = rows.row().getFields().stream().map(String::strip).toList();
    this.columns = first.size();
    this.header = isHeader.test(first) ? first : List.of();
  }

  /**
   * Opens a file.
   *
   * @param isHeader whether the first line, of these cells, names the columns
   * @throws IOException if it can't be read or is empty
   */
  public static NamedTable open(Path file, char separator, Predicate<List<String>> isHeader)
      throws IOException {
    CsvRows rows = CsvRows.open(file, separator);
    try {
      return new NamedTable(rows, isHeader);
    } catch (IOException e) {
      rows.close();
      throw e;
    }
  }

  /** Names of the columns; empty where the first line is a row as others. */
  public List<String> header() {
    return header;
  }

  /** How many columns the first line has. */
  public int columns() {
    return columns;
  }

  /** Goes to the next row, whatever it has; false at the end. */
  public boolean next() throws IOException {
    boolean stay = atFirstLine && header.isEmpty();
    atFirstLine = false;
    return stay || rows.next();
  }

  /**
   * Refuses a row that has other cells than the first line.
   *
   * @throws InvalidRowException if there are more or fewer
   */
  void requireAllCells() throws InvalidRowException {
    int found = rows.row().getFieldCount();
    if (found != columns) {
      throw InvalidRowException.ofRow(
          file(),
          line(),
          "expected %s fields as in the first line, got %s".formatted(columns, found),
          null);
    }
  }

  /** A cell of this row, empty where the row is too short. */
  public String cell(int column) {
    return column < rows.row().getFieldCount() ? rows.row().getField(column).strip() : "";
  }

  /** Where this row begins, counted from 1. */
  public long line() {
    return rows.row().getStartingLineNumber();
  }

  public Path file() {
    return rows.file();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
