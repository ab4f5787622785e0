package dev.millrace.sql.row;

import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The columns of INPUT: one array with all features, or columns of one value each, or of a list of
 * ids. Which of the latter a model takes, by their order or by their names, says the model.
 */
public record InputColumns(List<InputColumn> columns) implements Serializable {

  private static final String DECLARED = "has type";

  public InputColumns {
    columns = List.copyOf(columns);
  }

  /**
   * Checks what can be checked without a model.
   *
   * @param schemaOrNull of INPUT
   * @throws ValidationException if a column has a type that no model takes, naming it
   */
  public static InputColumns of(ResolvedSchema schemaOrNull) {
    if (schemaOrNull == null || schemaOrNull.getColumnCount() == 0) {
      throw new ValidationException(
          "The model has no INPUT; declare INPUT (features ARRAY<FLOAT>), or a column for each"
              + " feature");
    }
    List<InputColumn> columns =
        schemaOrNull.getColumns().stream()
            .map(column -> new InputColumn(column.getName(), column.getDataType().getLogicalType()))
            .toList();
    return checked(columns, DECLARED);
  }

  /**
   * The columns as a query gives them.
   *
   * @param types of the query's columns, in order
   * @throws ValidationException if one can't be features, naming it
   */
  public InputColumns given(List<LogicalType> types) {
    List<InputColumn> given = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      given.add(new InputColumn(columns.get(i).name(), types.get(i)));
    }
    return checked(given, "is given");
  }

  private static InputColumns checked(List<InputColumn> columns, String verb) {
    for (InputColumn column : columns) {
      check(column, columns.size(), verb);
    }
    return new InputColumns(columns);
  }

  private static void check(InputColumn column, int count, String verb) {
    LogicalType type = column.type();
    if (type instanceof ArrayType array) {
      if (mayBeIds(column, array.getElementType(), count)) {
        return;
      }
      if (count > 1) {
        throw new ValidationException(
            "Input column '%s' %s %s, and is one of %s; give all features in one array, or each in a column of its own"
                .formatted(column.name(), verb, column.typeText(), count));
      }
      if (!column.isNumbers()) {
        throw unusable(column, verb, "ARRAY<FLOAT>");
      }
    } else if (type.is(LogicalTypeRoot.BINARY) || type.is(LogicalTypeRoot.VARBINARY)) {
      throw new ValidationException(
          "Input column '%s' %s %s, which no model takes; give numbers, words or times"
              .formatted(column.name(), verb, column.typeText()));
    } else if (!isValue(type)) {
      throw unusable(column, verb, "STRING");
    }
  }

  /**
   * Whether an array may be a list of ids. The only column of INPUT may be given whole numbers for
   * features by mistake: it is one of words.
   */
  private static boolean mayBeIds(InputColumn column, LogicalType element, int count) {
    return count > 1
        ? isValue(element) && !column.isNumbers()
        : element.is(LogicalTypeFamily.CHARACTER_STRING);
  }

  /** Whether a type is one value that a field may have. */
  static boolean isValue(LogicalType type) {
    return type.is(LogicalTypeFamily.NUMERIC)
        || type.is(LogicalTypeFamily.CHARACTER_STRING)
        || type.is(LogicalTypeFamily.TIMESTAMP)
        || type.is(LogicalTypeRoot.DATE)
        || type.is(LogicalTypeRoot.BOOLEAN);
  }

  private static ValidationException unusable(InputColumn column, String verb, String wanted) {
    return new ValidationException(
        "Input column '%s' %s %s, which no model takes; %sgive ML_PREDICT %s"
            .formatted(
                column.name(),
                verb,
                column.typeText(),
                verb.equals(DECLARED) ? "declare it %s, and ".formatted(wanted) : "",
                column.cast(wanted)));
  }

  /**
   * Reads rows for a model.
   *
   * @param shape of its examples
   * @throws InvalidModelException if it takes others than the columns can be
   */
  public RowReader reader(ExampleShape shape) {
    if (!shape.isFlat()) {
      throw new InvalidModelException(
          "The model takes sequences, or has inputs or outputs by name, and ML_PREDICT has neither;"
              + " predict for a topic, with a scoring job");
    }
    if (shape.columns().isPlain()) {
      return new NumbersReader(columns, shape);
    }
    if (areArray(columns)) {
      throw new InvalidModelException(
          "The model takes named fields, and INPUT has one array; declare a column for each field");
    }
    return new FieldsReader(
        columns,
        RecordFeatures.of(FieldsDescription.ofCanonical(shape.columns().description()), shape));
  }

  /** Whether all features are one array. */
  static boolean areArray(List<InputColumn> columns) {
    return columns.size() == 1 && columns.get(0).isNumbers();
  }
}
