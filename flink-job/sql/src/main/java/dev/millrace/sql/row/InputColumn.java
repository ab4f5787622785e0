package dev.millrace.sql.row;

import java.io.Serializable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

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

  /** Whether it is an array of floating-point numbers. */
  public boolean isNumbers() {
    return type instanceof ArrayType array
        && (array.getElementType().is(LogicalTypeRoot.FLOAT)
            || array.getElementType().is(LogicalTypeRoot.DOUBLE));
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
