package dev.millrace.sql.row;

import org.apache.flink.table.data.RowData;

/** Finds the value of a column in rows. Belongs to one thread. */
@FunctionalInterface
public interface ColumnValue {

  /** The value in Flink's internal classes, or null. */
  Object in(RowData row);
}
