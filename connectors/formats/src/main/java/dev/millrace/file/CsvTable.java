package dev.millrace.file;

import de.siegmar.fastcsv.reader.CsvRecord;
import dev.millrace.example.FormatSettings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The rows of a CSV file, with labels in its last or its first columns. The first line may be a
 * header, as {@link TableHead} tells by the features.
 *
 * <p>Not thread-safe.
 */
final class CsvTable implements Closeable {

  private final CsvRows rows;
  private final int columns;
  private final int features;
  private final int firstFeature;
  private final int firstLabel;
  private final List<String> header;

  private boolean atFirstLine = true;

  private CsvTable(CsvRows rows, int labels, FormatSettings layout) throws IOException {
    this.rows = rows;
    if (!rows.next()) {
      throw new IOException(
          "%s is empty: expected rows of numbers and labels".formatted(rows.file()));
    }
    CsvRecord row = rows.row();
    this.columns = row.getFieldCount();
    this.features = columns - labels;
    this.firstFeature = layout.labelFirst() ? labels : 0;
    this.firstLabel = layout.labelFirst() ? 0 : features;
    if (features < 1) {
      throw new IOException(
          ("%s, line %s: expected at least one feature and %s, with the separator \"%c\" between"
                  + " columns, got \"%s\"")
              .formatted(
                  rows.file(),
                  rows.line(),
                  labels == 1 ? "the label" : labels + " labels",
                  layout.separator(),
                  String.join(String.valueOf(layout.separator()), row.getFields())));
    }
    TableHead head =
        TableHead.of(
            rows.file(),
            layout.separator(),
            column -> column >= firstFeature && column < firstFeature + features);
    this.header = head.requireNames() ? head.names() : List.of();
  }

  /**
   * @param labels how many columns are labels
   * @param layout where these are, and what separates columns
   */
  static CsvTable open(Path file, int labels, FormatSettings layout) throws IOException {
    CsvRows rows = CsvRows.open(file, layout.separator());
    try {
      return new CsvTable(rows, labels, layout);
    } catch (IOException e) {
      rows.close();
      throw e;
    }
  }

  Path file() {
    return rows.file();
  }

  /** Features of each row. */
  int features() {
    return features;
  }

  /** The column of the first label, counted from 0. */
  int firstLabel() {
    return firstLabel;
  }

  /**
   * Goes to the next row; false at the end.
   *
   * @throws InvalidRowException if it has more or fewer columns than the first, or isn't UTF-8
   */
  boolean next() throws IOException {
    if (!skip()) {
      return false;
    }
    rows.requireText();
    CsvRecord row = rows.row();
    if (row.getFieldCount() != columns) {
      throw InvalidRowException.ofRow(
          rows.file(),
          rows.line(),
          "expected %s fields as in the first line, got %s, from \"%s\" to \"%s\""
              .formatted(
                  columns,
                  row.getFieldCount(),
                  row.getField(0),
                  row.getField(row.getFieldCount() - 1)),
          null);
    }
    return true;
  }

  /** Goes to the next row, whatever it has; false at the end. */
  boolean skip() throws IOException {
    boolean stay = atFirstLine && header.isEmpty();
    atFirstLine = false;
    return stay || rows.next();
  }

  /** The class of this row, never empty and no fraction: a column of these is no classes. */
  String className() throws IOException {
    String name = rows.row().getField(firstLabel).strip();
    double number = parse(name);
    boolean fraction = !Double.isNaN(number) && number != Math.rint(number);
    if (name.isEmpty() || fraction) {
      throw invalid(firstLabel, "a class, by name or whole number");
    }
    return name;
  }

  /** Writes the features of this row. */
  void features(float[] into) throws IOException {
    for (int i = 0; i < features; i++) {
      into[i] = number(firstFeature + i);
    }
  }

  /** Writes the labels of this row, where they are numbers. */
  void labels(float[] into) throws IOException {
    for (int i = 0; i < columns - features; i++) {
      into[i] = number(firstLabel + i);
    }
  }

  /** Returns what to throw for a field of this row, columns counted from 0. */
  InvalidRowException invalid(int column, String expected) {
    return InvalidRowException.ofColumn(
        rows.file(),
        rows.line(),
        "column %s%s"
            .formatted(column + 1, header.isEmpty() ? "" : " (" + header.get(column) + ")"),
        "expected %s, got \"%s\"".formatted(expected, rows.row().getField(column)));
  }

  private float number(int column) throws IOException {
    float value = (float) parse(rows.row().getField(column));
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

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
