package dev.millrace.fields.csv;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the columns that planned paths mean. */
public final class CsvColumns {

  /** The place of a path that is no column, where another path of the same field is one. */
  public static final int ABSENT = -1;

  private CsvColumns() {}

  /**
   * The column of each path of a plan, counted from 0, or {@link #ABSENT}.
   *
   * @param columns names of all columns in order; empty where they have none
   * @throws IllegalArgumentException if none of a field's paths is a column, or there is a sequence
   */
  public static int[] of(FieldPlan plan, List<String> columns) {
    if (plan.sequence().isPresent()) {
      throw new IllegalArgumentException(
          "A line of csv holds no sequence; take json, avro or protobuf");
    }
    Map<String, Integer> places = places(columns);
    for (List<FieldPath> field : plan.alternatives()) {
      requireOne(field, columns, places);
    }
    return plan.fields().stream().mapToInt(path -> column(path, places)).toArray();
  }

  /** Returns where each of some names is among the columns, counted from 0, or {@link #ABSENT}. */
  public static int[] places(List<String> names, List<String> columns) {
    Map<String, Integer> places = places(columns);
    return names.stream().mapToInt(name -> places.getOrDefault(name, ABSENT)).toArray();
  }

  /** There may be tens of thousands of columns. */
  private static Map<String, Integer> places(List<String> columns) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      places.putIfAbsent(columns.get(i), i);
    }
    return places;
  }

  private static int column(FieldPath path, Map<String, Integer> places) {
    return isPlace(path) ? (Integer) path.steps().get(0) : places.getOrDefault(name(path), ABSENT);
  }

  private static void requireOne(
      List<FieldPath> field, List<String> columns, Map<String, Integer> places) {
    if (field.stream().allMatch(path -> column(path, places) == ABSENT)) {
      FieldPath path = field.get(0);
      throw new IllegalArgumentException(
          columns.isEmpty()
              ? ("The columns of csv have no names, so \"%s\" isn't found; name them, or give"
                      + " places such as [0]")
                  .formatted(path)
              : "\"%s\" is no column of csv; there are %s"
                  .formatted(path, String.join(", ", columns)));
    }
  }

  /** The name of the column that a path means. */
  public static String name(FieldPath path) {
    return path.steps().size() == 1 && path.steps().get(0) instanceof String name
        ? name
        : path.toString();
  }

  /** Whether a first line names a column of each field that isn't called by its place. */
  public static boolean areNamed(FieldPlan plan, List<String> cells) {
    List<List<FieldPath>> named =
        plan.alternatives().stream()
            .filter(field -> field.stream().noneMatch(CsvColumns::isPlace))
            .toList();
    Set<String> there = new HashSet<>(cells);
    return !named.isEmpty()
        && named.stream()
            .allMatch(field -> field.stream().anyMatch(path -> there.contains(name(path))));
  }

  /** Whether a path is a column's place, not its name. */
  public static boolean isPlace(FieldPath path) {
    return path.steps().size() == 1 && path.steps().get(0) instanceof Integer;
  }
}
