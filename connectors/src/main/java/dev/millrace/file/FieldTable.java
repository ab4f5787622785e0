package dev.millrace.file;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.csv.CsvColumns;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * How the rows of a CSV file become examples by described fields.
 *
 * @param fields of a record; paths are names of columns, or places
 * @param shape of the examples
 * @param classes names of the classes in the order of their numbers; empty where they have none
 * @param separator between columns
 * @param columns names of all columns in order; empty where a header has them, or places are meant
 */
public record FieldTable(
    FieldsDescription fields,
    ExampleShape shape,
    List<String> classes,
    char separator,
    List<String> columns)
    implements Serializable {

  public FieldTable {
    classes = List.copyOf(classes);
    columns = List.copyOf(columns);
  }

  /** Names of the classes, where examples have some. */
  List<String> classNames() {
    return shape.target() == Target.CLASSIFICATION ? classes : List.of();
  }

  RecordFeatures features() {
    return RecordFeatures.labelled(fields, shape, classes);
  }

  /**
   * Opens a file. Its first line is a header if it has all given names, in any order, or else a
   * column of each planned field.
   *
   * @throws IOException if it can't be read, or lacks a column
   */
  NamedTable open(Path file, FieldPlan plan) throws IOException {
    return NamedTable.open(
        file,
        separator,
        cells -> columns.isEmpty() ? CsvColumns.areNamed(plan, cells) : cells.containsAll(columns));
  }

  /**
   * How many rows come before those that are held out; reads the file once.
   *
   * @throws IOException if it can't be read, or has fewer
   */
  long rowsBefore(Path file, long holdOut) throws IOException {
    long rows = 0;
    try (NamedTable table = open(file, features().plan())) {
      while (table.next()) {
        rows++;
      }
    }
    if (holdOut > rows) {
      throw new IOException(
          "%s: holdout=%s asks for more than the %s rows of the file"
              .formatted(file, holdOut, rows));
    }
    return rows - holdOut;
  }

  /** The names of the columns of an open file, in its own order where it has a header. */
  List<String> names(NamedTable table) {
    return table.header().isEmpty() ? columns : table.header();
  }
}
