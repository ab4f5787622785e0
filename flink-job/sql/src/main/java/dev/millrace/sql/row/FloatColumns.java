package dev.millrace.sql.row;

import dev.millrace.example.InvalidExampleException;
import java.util.List;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** Reads numbers that are one array, or a column each. Belongs to one thread. */
public final class FloatColumns {

  private final List<String> names;
  private final ColumnValue[] values;

  /** Whether the first column is an array, and of which numbers. */
  private final boolean isArray;

  private final boolean isFloat;
  private float[] numbers = {};

  /**
   * @param all columns of a row
   * @param names of those that are read
   */
  public FloatColumns(List<InputColumn> all, List<String> names) {
    this.names = List.copyOf(names);
    this.values = new ColumnValue[names.size()];
    List<String> places = all.stream().map(InputColumn::name).toList();
    for (int i = 0; i < values.length; i++) {
      int place = places.indexOf(names.get(i));
      values[i] = all.get(place).at(place);
    }
    ArrayType arrayOrNull =
        all.get(places.indexOf(names.get(0))).type() instanceof ArrayType array ? array : null;
    this.isArray = arrayOrNull != null;
    this.isFloat = isArray && arrayOrNull.getElementType().is(LogicalTypeRoot.FLOAT);
  }

  /**
   * The numbers of a row, in the same array as long as there are as many.
   *
   * @throws InvalidExampleException if one is NULL, or beyond the range of float
   */
  public float[] in(RowData row) throws InvalidExampleException {
    if (isArray) {
      readArray((ArrayData) values[0].in(row));
    } else {
      resize(values.length);
      for (int i = 0; i < values.length; i++) {
        numbers[i] = Numbers.toFeature(Numbers.of(values[i].in(row), names.get(i)), names.get(i));
      }
    }
    return numbers;
  }

  private void readArray(ArrayData array) throws InvalidExampleException {
    if (array == null) {
      throw new InvalidExampleException("column '%s' is NULL".formatted(names.get(0)));
    }
    resize(array.size());
    for (int i = 0; i < numbers.length; i++) {
      if (array.isNullAt(i)) {
        throw new InvalidExampleException(
            "column '%s': number %s is NULL".formatted(names.get(0), i));
      }
      numbers[i] =
          Numbers.toFeature(isFloat ? array.getFloat(i) : array.getDouble(i), names.get(0));
    }
  }

  private void resize(int count) {
    if (numbers.length != count) {
      numbers = new float[count];
    }
  }
}
