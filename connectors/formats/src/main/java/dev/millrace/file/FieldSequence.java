package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.csv.CsvColumns;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;

/** Rows of a CSV file as examples of described fields. */
final class FieldSequence implements ExampleSequence {

  private final NamedTable table;
  private final RecordFeatures features;
  private final FieldValues values;
  private final int[] columns;
  private final long count;
  private long left;

  private FieldSequence(NamedTable table, RecordFeatures features, int[] columns, long count) {
    this.table = table;
    this.features = features;
    this.values = features.values();
    this.columns = columns;
    this.count = count;
    this.left = count;
  }

  /**
   * Opens a part of a file.
   *
   * @param skipped rows before it
   * @param count its rows
   * @throws IOException if it can't be read, or lacks a column
   */
  static FieldSequence open(Path file, FieldTable layout, long skipped, long count)
      throws IOException {
    RecordFeatures features = layout.features();
    NamedTable table = layout.open(file, features.plan());
    try {
      int[] columns = CsvColumns.of(features.plan(), layout.names(table));
      for (long i = 0; i < skipped; i++) {
        table.next();
      }
      return new FieldSequence(table, features, columns, count);
    } catch (IllegalArgumentException e) {
      table.close();
      throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
    } catch (IOException e) {
      table.close();
      throw e;
    }
  }

  @Override
  public ExampleShape shape() {
    return features.shape();
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (!skip(into)) {
      return false;
    }
    table.requireAllCells();
    into.reset();
    values.clear();
    for (int field = 0; field < columns.length; field++) {
      if (columns[field] == CsvColumns.ABSENT) {
        continue;
      }
      byte[] cell = table.cell(columns[field]).getBytes(UTF_8);
      if (cell.length > 0) {
        values.setCell(field, cell, 0, cell.length);
      }
    }
    try {
      features.read(values, into);
    } catch (InvalidExampleException e) {
      throw InvalidRowException.ofRow(table.file(), table.line(), e.getMessage(), null);
    }
    return true;
  }

  @Override
  public boolean skip(Example scratch) throws IOException {
    return left-- > 0 && table.next();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
