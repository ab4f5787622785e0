package dev.millrace.sql.row;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import org.apache.flink.table.data.RowData;

/** Makes an example of a row's features. Belongs to one thread. */
public interface RowReader {

  /**
   * Fills all features and words, and the labels where it reads them.
   *
   * @param row the columns
   * @param into a reset example
   * @throws InvalidExampleException if the row is no example
   */
  void read(RowData row, Example into) throws InvalidExampleException;
}
