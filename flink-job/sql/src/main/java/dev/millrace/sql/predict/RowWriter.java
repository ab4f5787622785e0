package dev.millrace.sql.predict;

import dev.millrace.model.ModelVersion;
import java.util.List;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** Makes a row of OUTPUT of a model's outputs. Belongs to one thread. */
final class RowWriter {

  private final OutputColumn[] columns;
  private final StringData[] classes;

  private ModelVersion version;
  private StringData versionText;

  /**
   * @param classes their names in the order of their numbers; none for the numbers
   */
  RowWriter(List<OutputColumn> columns, List<String> classes) {
    this.columns = columns.toArray(OutputColumn[]::new);
    this.classes = classes.stream().map(StringData::fromString).toArray(StringData[]::new);
  }

  /** A row of its own: Flink may keep it. */
  RowData write(float[] outputs, ModelVersion of) {
    if (!of.equals(version)) {
      version = of;
      versionText = StringData.fromString(of.toString());
    }
    GenericRowData row = new GenericRowData(columns.length);
    for (int i = 0; i < columns.length; i++) {
      row.setField(i, field(columns[i], outputs));
    }
    return row;
  }

  /** The row of one that nothing is predicted for. */
  RowData nothing() {
    return new GenericRowData(columns.length);
  }

  private Object field(OutputColumn column, float[] outputs) {
    return switch (column.content()) {
      case CLASS -> best(column.type(), outputs);
      case PROBABILITIES, SCORES, VALUES ->
          array(((ArrayType) column.type()).getElementType(), outputs);
      case VALUE -> value(column.type(), outputs[0]);
      case VERSION -> versionText;
    };
  }

  /**
   * Makes a number of the column's type; not by one expression, which would make a double of
   * either.
   */
  private static Object value(LogicalType type, float output) {
    if (type.is(LogicalTypeRoot.FLOAT)) {
      return output;
    }
    return (double) output;
  }

  /** Null where no output is a number. Of equal ones the first. */
  private Object best(LogicalType type, float[] outputs) {
    int best = 0;
    for (int i = 1; i < outputs.length; i++) {
      if (outputs[i] > outputs[best] || Float.isNaN(outputs[best])) {
        best = i;
      }
    }
    if (Float.isNaN(outputs[best])) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case INTEGER -> best;
      case BIGINT -> (long) best;
      default ->
          classes.length == 0 ? StringData.fromString(Integer.toString(best)) : classes[best];
    };
  }

  private static GenericArrayData array(LogicalType element, float[] outputs) {
    if (element.is(LogicalTypeRoot.FLOAT)) {
      return new GenericArrayData(outputs.clone());
    }
    double[] doubles = new double[outputs.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = outputs[i];
    }
    return new GenericArrayData(doubles);
  }
}
