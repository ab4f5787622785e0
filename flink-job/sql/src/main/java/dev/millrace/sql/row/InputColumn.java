package dev.millrace.sql.row;

import java.io.Serializable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A column that examples are made of.
 *
 * @param type as it is declared; once a query is planned, as the query gives it
 */
public record InputColumn(String name, LogicalType type) implements Serializable {

  /** Finds its values, as it is at this place of rows. */
  public ColumnValue at(int place) {
    RowData.FieldGetter getter = RowData.createFieldGetter(type, place);
    // Flink's own call of a function brings the values as objects.
    return row ->
        row instanceof GenericRowData values ? values.getField(place) : getter.getFieldOrNull(row);
  }

  /** Its type as messages name it: whether it may be NULL doesn't matter. */
  public String typeText() {
    return type.copy(true).asSummaryString();
  }

  /** Returns the SQL that makes another type of it. */
  String cast(String wanted) {
    return "CAST(%s AS %s)".formatted(name, wanted);
  }
}
