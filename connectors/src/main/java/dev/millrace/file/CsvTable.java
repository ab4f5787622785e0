package dev.millrace.file;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The rows of a CSV file with features first and a class last. The first line is taken for a header
 * if none of its features is a number.
 *
 * <p>Not thread-safe.
 */
final class CsvTable implements Closeable {

  private final Path file;
  private final CsvReader<CsvRecord> reader;
  private final Iterator<CsvRecord> records;
  private final int columns;
  private final List<String> header;

  /** The row that the table stands at; before the first call of next, the first line. */
  private CsvRecord row;

  private boolean atFirstLine = true;

  private CsvTable(Path file, CsvReader<CsvRecord> reader) throws IOException {
    this.file = file;
    this.reader = reader;
    this.records = reader.iterator();
    if (!advance()) {
      throw new IOException(
          "%s is empty: expected rows of numbers with the class last".formatted(file));
    }
    this.columns = row.getFieldCount();
    this.header =
        row.getFields().stream().limit(columns - 1L).noneMatch(CsvTable::isNumber)
            ? row.getFields()
            : List.of();
    if (columns < 2) {
      throw new IOException(
          "%s, line %d: expected at least one feature and the class, separated by commas, got \"%s\""
              .formatted(file, row.getStartingLineNumber(), row.getField(0)));
    }
  }

  static CsvTable open(Path file) throws IOException {
    // Ragged rows are let through by the reader, so that the error can name what was expected.
    CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .detectBomHeader(true)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .ofCsvRecord(FileInput.open(file));
    try {
      return new CsvTable(file, reader);
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  Path file() {
    return file;
  }

  /** Features of each row. */
  int features() {
    return columns - 1;
  }

  /** Goes to the next row; false at the end. */
  boolean next() throws IOException {
    boolean stay = atFirstLine && header.isEmpty();
    atFirstLine = false;
    if (!stay && !advance()) {
      return false;
    }
    if (row.getFieldCount() != columns) {
      throw new IOException(
          "%s, line %d: expected %d fields as in the first line, got %d, from \"%s\" to \"%s\""
              .formatted(
                  file,
                  row.getStartingLineNumber(),
                  columns,
                  row.getFieldCount(),
                  row.getField(0),
                  row.getField(row.getFieldCount() - 1)));
    }
    return true;
  }

  /** The class of this row, never empty and no fraction: a column of these is no classes. */
  String className() throws IOException {
    String name = row.getField(columns - 1).strip();
    double number = parse(name);
    boolean fraction = !Double.isNaN(number) && number != Math.rint(number);
    if (name.isEmpty() || fraction) {
      throw invalid(columns - 1, "a class, by name or whole number");
    }
    return name;
  }

  /** Writes the features of this row. */
  void features(float[] into) throws IOException {
    for (int i = 0; i < columns - 1; i++) {
      into[i] = number(i);
    }
  }

  /** What to throw for a field of this row, columns counted from 0. */
  IOException invalid(int column, String expected) {
    return new IOException(
        "%s, line %d, column %d%s: expected %s, got \"%s\""
            .formatted(
                file,
                row.getStartingLineNumber(),
                column + 1,
                header.isEmpty() ? "" : " (" + header.get(column) + ")",
                expected,
                row.getField(column)));
  }

  private float number(int column) throws IOException {
    float value = (float) parse(row.getField(column));
    if (!Float.isFinite(value)) {
      throw invalid(column, "a finite decimal number");
    }
    return value;
  }

  static boolean isNumber(String text) {
    return !Double.isNaN(parse(text));
  }

  /** The decimal number, or NaN for anything else, also for Java's own forms such as 1f. */
  private static double parse(String text) {
    String number = text.strip();
    int last = number.length() - 1;
    if (last < 0 || !(Character.isDigit(number.charAt(last)) || number.charAt(last) == '.')) {
      return Double.NaN;
    }
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private boolean advance() throws IOException {
    try {
      if (!records.hasNext()) {
        return false;
      }
      row = records.next();
      return true;
    } catch (CsvParseException | UncheckedIOException e) {
      throw new IOException(
          "Can't read %s after line %d: %s"
              .formatted(file, row == null ? 0 : row.getStartingLineNumber(), reason(e)),
          e);
    }
  }

  private static String reason(RuntimeException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
