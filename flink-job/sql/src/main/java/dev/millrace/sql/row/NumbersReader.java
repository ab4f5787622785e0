package dev.millrace.sql.row;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/** Reads features that are one array, or have a column each in the order of the columns. */
final class NumbersReader implements RowReader {

  private final String first;
  private final FloatColumns numbers;
  private final int count;

  /**
   * @throws InvalidModelException if the columns aren't an array, or as many numbers as the model
   *     takes
   */
  NumbersReader(List<InputColumn> columns, ExampleShape shape) {
    if (!InputColumns.areArray(columns)) {
      requireEach(columns, shape.recordFeatures());
    }
    this.first = columns.get(0).name();
    this.numbers = new FloatColumns(columns, columns.stream().map(InputColumn::name).toList());
    this.count = shape.recordFeatures();
  }

  private static void requireEach(List<InputColumn> columns, int count) {
    if (columns.size() != count) {
      throw new InvalidModelException(
          "The model takes %s features, and INPUT has %s columns; declare one for each feature, or one ARRAY<FLOAT>"
              .formatted(count, columns.size()));
    }
    for (InputColumn column : columns) {
      if (!column.type().is(LogicalTypeFamily.NUMERIC)) {
        throw new InvalidModelException(
            "The model takes numbers, and input column '%s' has type %s; declare it DOUBLE, and give ML_PREDICT %s"
                .formatted(column.name(), column.typeText(), column.cast("DOUBLE")));
      }
    }
  }

  @Override
  public void read(RowData row, Example into) throws InvalidExampleException {
    float[] found = numbers.in(row);
    if (found.length != count) {
      throw new InvalidExampleException(
          "column '%s': %s features expected, %s found".formatted(first, count, found.length));
    }
    float[] features = into.features();
    System.arraycopy(found, 0, features, 0, count);
    // Labels of records before, which a query doesn't know.
    Arrays.fill(features, count, features.length, 0);
  }
}
