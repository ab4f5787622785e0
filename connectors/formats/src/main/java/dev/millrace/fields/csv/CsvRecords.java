package dev.millrace.fields.csv;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.CsvLine;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Utf8;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The format {@code csv} of named fields: one line in UTF-8. A field's path is the name of a
 * column, or its place, {@code [0]} for the first. An empty cell is missing.
 */
final class CsvRecords implements RecordFormat {

  private final List<String> columns;
  private final int[] columnOf;
  private final int least;
  private final CsvLine line;

  /**
   * @param columns names of all columns in order; empty where they have none
   * @throws IllegalArgumentException if a path is no column, or there is a sequence
   */
  CsvRecords(FieldPlan plan, char separator, List<String> columns) {
    this.columns = List.copyOf(columns);
    this.columnOf = CsvColumns.of(plan, columns);
    this.least = 1 + IntStream.of(columnOf).max().orElse(-1);
    this.line = new CsvLine(separator, least);
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    WireHeader.refuse(value);
    Utf8.require(value);
    int found = line.split(value);
    if (columns.isEmpty() ? found < least : found != columns.size()) {
      throw new InvalidExampleException(
          columns.isEmpty()
              ? "at least %s columns expected, %s found".formatted(least, found)
              : "%s columns expected, %s found".formatted(columns.size(), found));
    }
    for (int field = 0; field < columnOf.length; field++) {
      if (columnOf[field] == CsvColumns.ABSENT) {
        continue;
      }
      int from = line.start(columnOf[field]);
      int to = line.end(columnOf[field]);
      if (from < to) {
        set(value, from, to, field, into);
      }
    }
  }

  private static void set(byte[] value, int from, int to, int field, FieldValues into) {
    for (int i = from; i < to; i++) {
      if (value[i] == '"') {
        // In quotes, a quote is written twice.
        byte[] text =
            new String(value, from, to - from, UTF_8).replace("\"\"", "\"").getBytes(UTF_8);
        into.setCell(field, text, 0, text.length);
        return;
      }
    }
    into.setCell(field, value, from, to);
  }
}
