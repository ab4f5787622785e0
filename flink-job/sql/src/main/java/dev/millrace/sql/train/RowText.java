package dev.millrace.sql.train;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.sql.row.InputColumn;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** A rejected row as JSON, an object with the columns by name; for whoever reads dead letters. */
final class RowText implements MapFunction<byte[], byte[]> {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final TypeSerializer<RowData> serializer;
  private final List<InputColumn> columns;

  /**
   * @param serializer that wrote the rows
   */
  RowText(TypeSerializer<RowData> serializer, List<InputColumn> columns) {
    this.serializer = serializer;
    this.columns = List.copyOf(columns);
  }

  @Override
  public byte[] map(byte[] bytes) throws IOException {
    RowData row = serializer.deserialize(new DataInputDeserializer(bytes));
    ObjectNode text = JSON.createObjectNode();
    for (int i = 0; i < columns.size(); i++) {
      put(text, columns.get(i), columns.get(i).at(i).in(row));
    }
    return JSON.writeValueAsBytes(text);
  }

  private static void put(ObjectNode text, InputColumn column, Object value) {
    if (value == null) {
      text.putNull(column.name());
    } else if (value instanceof Boolean truth) {
      text.put(column.name(), truth);
    } else if (value instanceof Integer day && column.type().is(LogicalTypeRoot.DATE)) {
      text.put(column.name(), LocalDate.ofEpochDay(day).toString());
    } else if (value instanceof Float || value instanceof Double) {
      text.put(column.name(), ((Number) value).doubleValue());
    } else if (value instanceof Number whole) {
      text.put(column.name(), whole.longValue());
    } else if (value instanceof DecimalData decimal) {
      text.put(column.name(), decimal.toBigDecimal());
    } else if (value instanceof ArrayData array && TableColumns.isNumbers(column)) {
      put(text.putArray(column.name()), array, (ArrayType) column.type());
    } else {
      text.put(column.name(), value.toString());
    }
  }

  private static void put(ArrayNode numbers, ArrayData array, ArrayType type) {
    boolean isFloat = type.getElementType().is(LogicalTypeRoot.FLOAT);
    for (int i = 0; i < array.size(); i++) {
      if (array.isNullAt(i)) {
        numbers.addNull();
      } else {
        numbers.add(isFloat ? array.getFloat(i) : array.getDouble(i));
      }
    }
  }
}
