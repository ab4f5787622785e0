package dev.millrace.file;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.CsvRecordHandler.CsvRecordHandlerBuilder;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.millrace.model.io.Reason;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;

/**
 * The rows of a CSV file, plain or compressed with gzip, of any number of cells each.
 *
 * <p>Not thread-safe.
 */
final class CsvRows implements Closeable {

  private final Path file;
  private final CsvReader<CsvRecord> reader;
  private final Iterator<CsvRecord> records;
  private final int linesAbove;
  private CsvRecord row;

  private CsvRows(Path file, CsvReader<CsvRecord> reader, int linesAbove) {
    this.file = file;
    this.linesAbove = linesAbove;
    this.reader = reader;
    this.records = reader.iterator();
  }

  /**
   * Opens a file behind its preamble.
   *
   * @throws IOException if it can't be read, or names another separator
   */
  static CsvRows open(Path file, char separator) throws IOException {
    Preamble above = Preamble.of(file, separator);
    if (above.separator().isPresent() && above.separator().get() != separator) {
      throw new IOException(
          ("%s, line 1: it says that \"%c\" separates columns, and the separator is \"%c\"; give"
                  + " --input.csv.separator '%c', or take the line out")
              .formatted(file, above.separator().get(), separator, above.separator().get()));
    }
    BufferedReader text = FileInput.text(file);
    for (int i = 0; i < above.lines(); i++) {
      text.readLine();
    }
    // Ragged rows are let through by the reader, so that an error can name what was expected.
    return new CsvRows(
        file,
        CsvReader.builder()
            .fieldSeparator(separator)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .build(CsvRecordHandler.of(CsvRows::unlimited), text),
        above.lines());
  }

  /** FastCSV stops at 16,384 columns, as spreadsheets do; an image of 129 x 129 has more. */
  private static void unlimited(CsvRecordHandlerBuilder limits) {
    limits.maxFields(Integer.MAX_VALUE).maxRecordSize(Integer.MAX_VALUE);
  }

  Path file() {
    return file;
  }

  /**
   * Goes to the next row; false at the end.
   *
   * @throws IOException if the file can't be read, or isn't CSV
   */
  boolean next() throws IOException {
    try {
      if (!records.hasNext()) {
        return false;
      }
      row = records.next();
      return true;
    } catch (CsvParseException | UncheckedIOException e) {
      long line = row == null ? linesAbove : line();
      String reason = Reason.of(e.getCause() == null ? e : e.getCause());
      throw new IOException("Can't read %s after line %s: %s".formatted(file, line, reason), e);
    }
  }

  /**
   * Refuses this row if some of its bytes are no text.
   *
   * @throws InvalidRowException if they aren't
   */
  void requireText() throws InvalidRowException {
    for (int i = 0; i < row.getFieldCount(); i++) {
      if (!FileInput.isText(row.getField(i))) {
        throw InvalidRowException.ofColumn(
            file, line(), "column " + (i + 1), "it is not UTF-8; convert it");
      }
    }
  }

  /** Returns where this row begins in the file, counted from 1. */
  long line() {
    return linesAbove + row.getStartingLineNumber();
  }

  /** This row; null before the first. */
  CsvRecord row() {
    return row;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
