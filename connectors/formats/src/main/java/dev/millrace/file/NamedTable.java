package dev.millrace.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

  private NamedTable(CsvRows rows, int columns, List<String> header) {
    this.rows = rows;
    this.columns = columns;
    this.header = header;
  }

  /** Decides whether the first line names the columns. */
  @FunctionalInterface
  public interface HeaderRule {

    /**
     * Looks at the first line.
     *
     * @throws IOException if the table can't be used then
     */
    boolean isHeader(TableHead head) throws IOException;
  }

  /**
   * Opens a file.
   *
   * @param rule whether its first line is a header
   * @throws IOException if it can't be read or is empty
   */
  public static NamedTable open(Path file, char separator, HeaderRule rule) throws IOException {
    TableHead head = TableHead.of(file, separator);
    boolean header = rule.isHeader(head);
    CsvRows rows = CsvRows.open(file, separator);
    try {
      rows.next();
      return new NamedTable(rows, head.cells().size(), header ? head.names() : List.of());
    } catch (IOException e) {
      rows.close();
      throw e;
    }
  }

  /**
   * The separator that a file itself names in a first line such as {@code sep=;}.
   *
   * @throws IOException if it can't be read
   */
  public static Optional<Character> separatorIn(Path file) throws IOException {
    return Preamble.of(file, ',').separator();
  }

  /** Names of the columns; empty where the first line is a row as others. */
  public List<String> header() {
    return header;
  }

  /** Returns how many columns the first line has. */
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
   * Refuses a row that has other cells than the first line, or isn't text.
   *
   * @throws InvalidRowException if there are more or fewer, or some bytes aren't UTF-8
   */
  public void requireAllCells() throws InvalidRowException {
    rows.requireText();
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

  /** Returns where this row begins, counted from 1. */
  public long line() {
    return rows.line();
  }

  public Path file() {
    return rows.file();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
