package dev.millrace.sql.predict;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalType;

/** The columns of OUTPUT: each holds what its name says, or the option {@code outputs}. */
record OutputColumns(List<OutputColumn> columns) implements Serializable {

  OutputColumns {
    columns = List.copyOf(columns);
  }

  /**
   * Checks what can be checked without a model. Flink itself never compares what is declared with
   * what a model returns.
   *
   * @param schemaOrNull of OUTPUT
   * @param contents of columns that are called otherwise
   * @param mayBeNull whether a row may have no prediction
   * @throws ValidationException if a column can't hold anything, naming it
   */
  static OutputColumns of(
      ResolvedSchema schemaOrNull, Map<String, String> contents, boolean mayBeNull) {
    if (schemaOrNull == null || schemaOrNull.getColumnCount() == 0) {
      throw new ValidationException(
          "The model has no OUTPUT; declare what you want of %s, such as OUTPUT (class STRING, version STRING)"
              .formatted(String.join(", ", OutputContent.names())));
    }
    TreeSet<String> unknown = new TreeSet<>(contents.keySet());
    schemaOrNull.getColumnNames().forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new ValidationException(
          "'%s' names '%s', which is no column of OUTPUT; there are %s"
              .formatted(
                  ModelSqlOptions.OUTPUTS.key(),
                  unknown.first(),
                  String.join(", ", schemaOrNull.getColumnNames())));
    }
    List<OutputColumn> columns = new ArrayList<>();
    for (Column column : schemaOrNull.getColumns()) {
      String content = contents.getOrDefault(column.getName(), column.getName());
      columns.add(column(column, content, mayBeNull));
    }
    requireOneTarget(columns);
    return new OutputColumns(columns);
  }

  private static OutputColumn column(Column column, String name, boolean mayBeNull) {
    OutputContent content = OutputContent.named(name);
    if (content == null) {
      throw new ValidationException(
          "Output column '%s' is none of %s; rename it, or say what it holds with '%s' = '%s:…'"
              .formatted(
                  column.getName(),
                  String.join(", ", OutputContent.names()),
                  ModelSqlOptions.OUTPUTS.key(),
                  column.getName()));
    }
    LogicalType type = column.getDataType().getLogicalType();
    if (!content.mayBe(type)) {
      throw new ValidationException(
          "Output column '%s' has type %s, and %s is %s; declare it so, and CAST it in the query"
              .formatted(column.getName(), type.asSummaryString(), content, content.types()));
    }
    if (!type.isNullable() && (mayBeNull || content == OutputContent.CLASS)) {
      throw new ValidationException(
          "Output column '%s' is NOT NULL, and a row without a prediction has NULL there; leave NOT NULL out%s"
              .formatted(
                  column.getName(),
                  content == OutputContent.CLASS
                      ? ""
                      : ", or set '%s' = '%s'"
                          .formatted(
                              ModelSqlOptions.INVALID_ROWS.key(),
                              ModelSqlOptions.InvalidRows.FAIL)));
    }
    return new OutputColumn(column.getName(), type, content);
  }

  /** No model has outputs of two kinds. */
  private static void requireOneTarget(List<OutputColumn> columns) {
    OutputColumn first = null;
    for (OutputColumn column : columns) {
      if (column.content().targetOrNull() == null) {
        continue;
      }
      if (first == null) {
        first = column;
      } else if (first.content().targetOrNull() != column.content().targetOrNull()) {
        throw new ValidationException(
            "Output column '%s' holds %s, which models for %s have, and '%s' holds %s, which those for %s have; declare one of them"
                .formatted(
                    first.name(),
                    first.content(),
                    first.content().targetOrNull(),
                    column.name(),
                    column.content(),
                    column.content().targetOrNull()));
      }
    }
  }

  /**
   * Writes the outputs of a model.
   *
   * @param classes their names in the order of their numbers; none for the numbers
   * @throws InvalidModelException if it has other outputs than the columns hold
   */
  RowWriter writer(ExampleShape shape, List<String> classes) {
    for (OutputColumn column : columns) {
      OutputContent content = column.content();
      if (content.targetOrNull() != null && content.targetOrNull() != shape.target()) {
        throw new InvalidModelException(
            "Output column '%s' holds %s, which models for %s have, and the model is for %s; declare %s"
                .formatted(
                    column.name(),
                    content,
                    content.targetOrNull(),
                    shape.target(),
                    switch (shape.target()) {
                      case CLASSIFICATION -> "class or probabilities";
                      case MULTI_LABEL -> "scores";
                      case REGRESSION -> "value or values";
                    }));
      }
      if (content == OutputContent.VALUE && shape.outputs() != 1) {
        throw new InvalidModelException(
            "Output column '%s' holds one value, and the model has %s outputs; declare values ARRAY<FLOAT>"
                .formatted(column.name(), shape.outputs()));
      }
    }
    return new RowWriter(columns, classes);
  }
}
