package dev.millrace.sql.train;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.sql.row.InputColumn;
import java.util.List;
import java.util.function.Predicate;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * Checks the types of columns that are no features, beside features that are one array. Where each
 * column is a field, the fields judge each value.
 */
final class RoleTypes {

  private final TableColumns columns;
  private final ExampleShape shape;

  private RoleTypes(TableColumns columns, ExampleShape shape) {
    this.columns = columns;
    this.shape = shape;
  }

  /**
   * Checks them.
   *
   * @param shape of the examples
   * @throws ValidationException if a column can't be what the options say that it is
   */
  static void check(TableColumns columns, ExampleShape shape) {
    RoleTypes types = new RoleTypes(columns, shape);
    types.checkLabels();
    types.check(
        columns.weightOrNull(), "a weight", "DOUBLE", type -> type.is(LogicalTypeFamily.NUMERIC));
    types.check(
        columns.idOrNull(),
        "an id",
        "STRING",
        type -> type.is(LogicalTypeFamily.NUMERIC) || type.is(LogicalTypeFamily.CHARACTER_STRING));
    types.check(
        columns.timestampOrNull(),
        "a time",
        "TIMESTAMP(3), or BIGINT of milliseconds since 1970",
        type -> type.is(LogicalTypeFamily.NUMERIC) || type.is(LogicalTypeFamily.TIMESTAMP));
  }

  private void checkLabels() {
    List<String> labels = columns.labels();
    if (labels.size() == 1 && columns.named(labels.get(0)).isNumbers()) {
      return;
    }
    if (shape.target() == Target.CLASSIFICATION) {
      if (labels.size() > 1 && shape.structure().outputs().isEmpty()) {
        throw new ValidationException(
            "'%s' names %s columns, and a class is one; name that"
                .formatted(TrainingTableOptions.LABEL.key(), labels.size()));
      }
      labels.forEach(label -> check(label, "a class", "INT or STRING", this::mayBeClass));
    } else {
      labels.forEach(
          label -> check(label, "a label", "DOUBLE, or one ARRAY<DOUBLE>", this::mayBeNumber));
    }
  }

  private boolean mayBeClass(LogicalType type) {
    return type.is(LogicalTypeFamily.NUMERIC)
        || type.is(LogicalTypeFamily.CHARACTER_STRING)
        || (type.is(LogicalTypeRoot.BOOLEAN) && shape.outputs() == 2);
  }

  private boolean mayBeNumber(LogicalType type) {
    return type.is(LogicalTypeFamily.NUMERIC)
        || (type.is(LogicalTypeRoot.BOOLEAN) && shape.target() == Target.MULTI_LABEL);
  }

  private void check(String nameOrNull, String role, String wanted, Predicate<LogicalType> mayBe) {
    if (nameOrNull == null) {
      return;
    }
    InputColumn column = columns.named(nameOrNull);
    if (!mayBe.test(column.type())) {
      throw new ValidationException(
          "Column '%s' has type %s, which can't be %s; declare it %s, and CAST in the query"
              .formatted(column.name(), column.typeText(), role, wanted));
    }
  }
}
