package dev.millrace.sql.row;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** Reads features that are one array. */
final class ArrayReader implements RowReader {

  private final InputColumn column;
  private final ColumnValue values;
  private final boolean isFloat;
  private final int count;

  ArrayReader(InputColumn column, ExampleShape shape) {
    this.column = column;
    this.values = column.at(0);
    this.isFloat = ((ArrayType) column.type()).getElementType().is(LogicalTypeRoot.FLOAT);
    this.count = shape.recordFeatures();
  }

  @Override
  public void read(RowData row, Example into) throws InvalidExampleException {
    ArrayData array = (ArrayData) values.in(row);
    if (array == null) {
      throw new InvalidExampleException("column '%s' is NULL".formatted(column.name()));
    }
    if (array.size() != count) {
      throw new InvalidExampleException(
          "column '%s': %s features expected, %s found"
              .formatted(column.name(), count, array.size()));
    }
    float[] features = into.features();
    for (int i = 0; i < count; i++) {
      if (array.isNullAt(i)) {
        throw new InvalidExampleException(
            "column '%s': feature %s is NULL".formatted(column.name(), i));
      }
      double value = isFloat ? array.getFloat(i) : array.getDouble(i);
      features[i] = Numbers.toFeature(value, column.name());
    }
    // Labels of records before, which a query doesn't know.
    Arrays.fill(features, count, features.length, 0);
  }
}
