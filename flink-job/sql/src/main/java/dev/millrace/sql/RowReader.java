package dev.millrace.sql;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import org.apache.flink.table.data.RowData;

/** Makes an example of a row's features. Belongs to one thread. */
interface RowReader {

  /**
   * Fills all features and words.
   *
   * @param row the columns of INPUT
   * @param into a reset example
   * @throws InvalidExampleException if the row is no example
   */
  void read(RowData row, Example into) throws InvalidExampleException;
}
