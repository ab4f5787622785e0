package dev.millrace.file;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.csv.CsvColumns;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
   * @throws IOException if it can't be read, lacks a column, or names others
   */
  NamedTable open(Path file, FieldPlan plan) throws IOException {
    return NamedTable.open(file, separator, head -> isHeader(head, plan));
  }

  private boolean isHeader(TableHead head, FieldPlan plan) throws IOException {
    if (columns.isEmpty()) {
      if (!CsvColumns.areNamed(plan, head.names())) {
        return head.requireNames();
      }
      requireOneOfEach(head, plan);
      return true;
    }
    Set<String> names = new HashSet<>(head.names());
    List<String> lacking = columns.stream().filter(column -> !names.contains(column)).toList();
    if (!lacking.isEmpty() && head.kind() == TableHead.Kind.NAMES) {
      throw head.lacks("not " + String.join(", ", lacking) + ", as the given names say");
    }
    return lacking.isEmpty();
  }

  /** Two columns with one name: nobody knows which is meant. */
  private static void requireOneOfEach(TableHead head, FieldPlan plan) throws IOException {
    Set<String> meant = new HashSet<>(plan.fields().stream().map(CsvColumns::name).toList());
    for (int i : head.repeated()) {
      String name = head.cells().get(i);
      if (meant.contains(name)) {
        throw head.lacks(
            "\"%s\" is there twice; give the names of all columns, where the second is %s"
                .formatted(name, head.names().get(i)));
      }
    }
  }

  /**
   * Returns how many rows come before those that are held out; reads the file once.
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
