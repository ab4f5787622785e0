package dev.millrace.file;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rows of a CSV file, plain or compressed with gzip, whose columns may be named by its first
 * line. Space around a cell is not part of it.
 *
 * <p>Not thread-safe.
 */
public final class NamedTable implements Closeable {

  private final Path file;
  private final CsvReader<CsvRecord> reader;
  private final Iterator<CsvRecord> records;
  private final List<String> header;
  private final int columns;
  private boolean atFirstLine = true;
  private CsvRecord row;

  private NamedTable(Path file, CsvReader<CsvRecord> reader, Predicate<List<String>> isHeader)
      throws IOException {
    this.file = file;
    this.reader = reader;
    this.records = reader.iterator();
    if (!advance()) {
      throw new IOException("%s is empty: expected rows".formatted(file));
    }
    List<String> first = row.getFields().stream().map(String::strip).toList();
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
    FileInput.requireFile(file);
    CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .fieldSeparator(separator)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .build(
                CsvRecordHandler.of(
                    limits -> limits.maxFields(Integer.MAX_VALUE).maxRecordSize(Integer.MAX_VALUE)),
                FileInput.text(file));
    try {
      return new NamedTable(file, reader, isHeader);
    } catch (IOException e) {
      reader.close();
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
    return stay || advance();
  }

  /** Cells of this row. */
  public int cells() {
    return row.getFieldCount();
  }

  /** A cell of this row, empty where the row is too short. */
  public String cell(int column) {
    return column < row.getFieldCount() ? row.getField(column).strip() : "";
  }

  /** Where this row begins, counted from 1. */
  public long line() {
    return row.getStartingLineNumber();
  }

  public Path file() {
    return file;
  }

  private boolean advance() throws IOException {
    try {
      if (!records.hasNext()) {
        return false;
      }
      row = records.next();
      return true;
    } catch (CsvParseException | UncheckedIOException e) {
      long line = row == null ? 0 : row.getStartingLineNumber();
      if (e.getCause() instanceof CharacterCodingException) {
        throw new IOException(
            "%s is not UTF-8, at some line after line %d; convert it".formatted(file, line), e);
      }
      String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new IOException("Can't read %s after line %d: %s".formatted(file, line, reason), e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
