package dev.millrace.fields.csv;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import java.util.List;

/** Finds the columns that planned paths mean. */
public final class CsvColumns {

  private CsvColumns() {}

  /**
   * The column of each field of a plan, counted from 0.
   *
   * @param columns names of all columns in order; empty where they have none
   * @throws IllegalArgumentException if a path is no column, or there is a sequence
   */
  public static int[] of(FieldPlan plan, List<String> columns) {
    if (plan.sequence().isPresent()) {
      throw new IllegalArgumentException(
          "A line of csv holds no sequence; take json, avro or protobuf");
    }
    return plan.fields().stream().mapToInt(path -> column(path, columns)).toArray();
  }

  private static int column(FieldPath path, List<String> columns) {
    if (isPlace(path)) {
      return (Integer) path.steps().get(0);
    }
    int column = columns.indexOf(name(path));
    if (column < 0) {
      throw new IllegalArgumentException(
          columns.isEmpty()
              ? ("The columns of csv have no names, so \"%s\" isn't found; name them, or give"
                      + " places such as [0]")
                  .formatted(path)
              : "\"%s\" is no column of csv; there are %s"
                  .formatted(path, String.join(", ", columns)));
    }
    return column;
  }

  /** The name of the column that a path means. */
  public static String name(FieldPath path) {
    return path.steps().size() == 1 && path.steps().get(0) instanceof String name
        ? name
        : path.toString();
  }

  /** Whether a path is a column's place, not its name. */
  public static boolean isPlace(FieldPath path) {
    return path.steps().size() == 1 && path.steps().get(0) instanceof Integer;
  }
}
