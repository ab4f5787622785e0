package dev.millrace.sql.row;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/** Reads features that have a column each, in the order of the columns. */
final class NumbersReader implements RowReader {

  private final InputColumn[] columns;
  private final ColumnValue[] values;

  /**
   * @throws InvalidModelException if the columns aren't as many numbers as the model takes
   */
  NumbersReader(List<InputColumn> columns, ExampleShape shape) {
    if (columns.size() != shape.recordFeatures()) {
      throw new InvalidModelException(
          "The model takes %s features, and INPUT has %s columns; declare one for each feature, or one ARRAY<FLOAT>"
              .formatted(shape.recordFeatures(), columns.size()));
    }
    for (InputColumn column : columns) {
      if (!column.type().is(LogicalTypeFamily.NUMERIC)) {
        throw new InvalidModelException(
            "The model takes numbers, and input column '%s' has type %s; declare it DOUBLE, and give ML_PREDICT %s"
                .formatted(column.name(), column.typeText(), column.cast("DOUBLE")));
      }
    }
    this.columns = columns.toArray(InputColumn[]::new);
    this.values = new ColumnValue[this.columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = this.columns[i].at(i);
    }
  }

  @Override
  public void read(RowData row, Example into) throws InvalidExampleException {
    float[] features = into.features();
    for (int i = 0; i < columns.length; i++) {
      features[i] =
          Numbers.toFeature(Numbers.of(values[i].in(row), columns[i].name()), columns[i].name());
    }
    // Labels of records before, which a query doesn't know.
    Arrays.fill(features, columns.length, features.length, 0);
  }
}
