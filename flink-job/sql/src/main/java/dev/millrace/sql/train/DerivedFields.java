package dev.millrace.sql.train;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.fields.FieldPath;
import dev.millrace.sql.row.InputColumn;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** What columns become where nobody describes them: docs/guides/sql.md has the table. */
final class DerivedFields {

  private DerivedFields() {}

  /**
   * A description of fields, as the option {@code input.fields} takes it.
   *
   * @param words places in the vocabulary of each column of words
   * @param dimension values of each row of embedding tables
   * @throws ValidationException if a column can't be a field, naming it
   */
  static String json(TableColumns columns, int words, int dimension) {
    ArrayNode fields = JsonNodeFactory.instance.arrayNode();
    for (InputColumn column : columns.features()) {
      ObjectNode field = fields.addObject().put("path", path(column.name()));
      if (columns.embedded().contains(column.name())) {
        boolean list = column.type() instanceof ArrayType;
        field.put("kind", list ? "ids" : "id").put("dimension", dimension);
      } else {
        feature(field, column, words);
      }
    }
    columns.labels().forEach(name -> role(fields, "label", name));
    role(fields, "weight", columns.weightOrNull());
    role(fields, "id", columns.idOrNull());
    role(fields, "timestamp", columns.timestampOrNull());
    return fields.toString();
  }

  private static void role(ArrayNode fields, String role, String columnOrNull) {
    if (columnOrNull != null) {
      fields.addObject().put("path", path(columnOrNull)).put("role", role);
    }
  }

  private static void feature(ObjectNode field, InputColumn column, int words) {
    LogicalType type = column.type();
    if (type.is(LogicalTypeFamily.NUMERIC)) {
      field.put("kind", "number");
    } else if (type.is(LogicalTypeFamily.CHARACTER_STRING)) {
      field.put("kind", "category").put("words", words);
    } else if (type.is(LogicalTypeRoot.BOOLEAN)) {
      field.put("kind", "boolean");
    } else if (type.is(LogicalTypeRoot.DATE)) {
      field.put("kind", "time").putArray("parts").add("day-of-week").add("month-of-year");
    } else if (type.is(LogicalTypeFamily.TIMESTAMP)) {
      field.put("kind", "time").putArray("parts").add("hour-of-day").add("day-of-week");
    } else {
      throw new ValidationException(
          "Column '%s' has type %s, which can't be a feature; declare a number, STRING, BOOLEAN, DATE or TIMESTAMP, or leave it out"
              .formatted(column.name(), column.typeText()));
    }
  }

  /** A column's name is one step, whatever it has in it. */
  private static String path(String column) {
    return new FieldPath(List.of(column)).toString();
  }
}
