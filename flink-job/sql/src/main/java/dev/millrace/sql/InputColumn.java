package dev.millrace.sql;

import java.io.Serializable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A column of INPUT.
 *
 * @param type as it is declared; once a query is planned, as the query gives it
 */
record InputColumn(String name, LogicalType type) implements Serializable {

  /** Its value in Flink's internal classes, or null. */
  Object value(RowData row, int place) {
    // Flink's own call brings the values as objects.
    return row instanceof GenericRowData values
        ? values.getField(place)
        : RowData.createFieldGetter(type, place).getFieldOrNull(row);
  }

  /** Its type as messages name it: whether it may be NULL doesn't matter. */
  String typeText() {
    return type.copy(true).asSummaryString();
  }

  /** What makes another type of it, as SQL. */
  String cast(String wanted) {
    return "CAST(%s AS %s)".formatted(name, wanted);
  }
}
