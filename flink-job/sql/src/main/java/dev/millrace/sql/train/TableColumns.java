package dev.millrace.sql.train;

import dev.millrace.sql.row.InputColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.ArrayType;

/**
 * The columns of a table: which are features, and which say something else of an example.
 *
 * @param all in the order of rows
 * @param embedded names of the features that name rows of embedding tables
 * @param weightOrNull name of the column, null if there is none; so of the others
 */
record TableColumns(
    List<InputColumn> all,
    List<String> labels,
    List<String> embedded,
    String weightOrNull,
    String idOrNull,
    String timestampOrNull)
    implements Serializable {

  /** The one column of features, where they are an array. */
  static final String FEATURES = "features";

  TableColumns {
    all = List.copyOf(all);
    labels = List.copyOf(labels);
    embedded = List.copyOf(embedded);
  }

  /**
   * Reads them off a table.
   *
   * @throws ValidationException if the options name a column that isn't there
   */
  static TableColumns of(ResolvedSchema schema, ReadableConfig options) {
    TableColumns columns =
        new TableColumns(
            physical(schema),
            options.get(TrainingTableOptions.LABEL),
            options.get(TrainingTableOptions.EMBED),
            options.get(TrainingTableOptions.WEIGHT),
            options.get(TrainingTableOptions.ID),
            options.get(TrainingTableOptions.TIMESTAMP));
    columns.labels.forEach(name -> columns.require(TrainingTableOptions.LABEL.key(), name));
    columns.require(TrainingTableOptions.WEIGHT.key(), columns.weightOrNull);
    columns.require(TrainingTableOptions.ID.key(), columns.idOrNull);
    columns.require(TrainingTableOptions.TIMESTAMP.key(), columns.timestampOrNull);
    columns.embedded.forEach(columns::requireFeature);
    if (columns.features().isEmpty()) {
      throw new ValidationException(
          "The table has no column of features; declare features ARRAY<FLOAT>, or a column for each"
              + " feature");
    }
    return columns;
  }

  /**
   * Makes the columns of a table whose fields are described elsewhere: nothing is said by a
   * column's name.
   */
  static TableColumns described(ResolvedSchema schema) {
    return new TableColumns(physical(schema), List.of(), List.of(), null, null, null);
  }

  private static List<InputColumn> physical(ResolvedSchema schema) {
    return schema.getColumns().stream()
        .filter(Column::isPersisted)
        .map(column -> new InputColumn(column.getName(), column.getDataType().getLogicalType()))
        .toList();
  }

  private void require(String option, String nameOrNull) {
    if (nameOrNull != null && place(nameOrNull) < 0) {
      throw new ValidationException(
          "'%s' is '%s', and the table has no such column, but %s; declare it, or name another"
              .formatted(
                  option,
                  nameOrNull,
                  String.join(", ", all.stream().map(InputColumn::name).toList())));
    }
  }

  private void requireFeature(String name) {
    require(TrainingTableOptions.EMBED.key(), name);
    if (features().stream().noneMatch(column -> column.name().equals(name))) {
      throw new ValidationException(
          "'%s' has '%s', which another option says to be no feature; leave one of them out"
              .formatted(TrainingTableOptions.EMBED.key(), name));
    }
  }

  /** Returns where a column is in rows, counted from 0; below 0 if there is none. */
  int place(String name) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** A column that is there. */
  InputColumn named(String name) {
    return all.get(place(name));
  }

  /** All that nothing else is said by. */
  List<InputColumn> features() {
    List<String> others = new ArrayList<>(labels);
    Stream.of(weightOrNull, idOrNull, timestampOrNull).forEach(others::add);
    return all.stream().filter(column -> !others.contains(column.name())).toList();
  }

  /**
   * Whether the features are one array; else each column is a field.
   *
   * @throws ValidationException if they are an array and something else, or one of other things
   *     than numbers
   */
  boolean isArray() {
    List<InputColumn> features = features();
    InputColumn array =
        features.stream()
            .filter(column -> column.type() instanceof ArrayType)
            .filter(column -> !embedded.contains(column.name()))
            .findFirst()
            .orElse(null);
    if (array == null) {
      return false;
    }
    if (features.size() > 1 || !array.name().equals(FEATURES)) {
      throw new ValidationException(
          "Column '%s' has type %s, and features are one array called %s, or columns of one value each; there are %s. Name columns whose elements are ids in 'embed'"
              .formatted(
                  array.name(),
                  array.typeText(),
                  FEATURES,
                  String.join(", ", features.stream().map(InputColumn::name).toList())));
    }
    if (!array.isNumbers()) {
      throw new ValidationException(
          "Column '%s' has type %s; declare it ARRAY<FLOAT>, and CAST in the query"
              .formatted(array.name(), array.typeText()));
    }
    return true;
  }
}
