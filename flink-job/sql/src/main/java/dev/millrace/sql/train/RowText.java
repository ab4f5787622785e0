package dev.millrace.sql.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import org.apache.flink.table.types.logical.LogicalType;
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
      InputColumn column = columns.get(i);
      text.set(column.name(), node(column.type(), column.at(i).in(row)));
    }
    return JSON.writeValueAsBytes(text);
  }

  private static JsonNode node(LogicalType type, Object value) {
    JsonNodeFactory nodes = JSON.getNodeFactory();
    if (value == null) {
      return nodes.nullNode();
    } else if (value instanceof Boolean truth) {
      return nodes.booleanNode(truth);
    } else if (value instanceof Integer day && type.is(LogicalTypeRoot.DATE)) {
      return nodes.textNode(LocalDate.ofEpochDay(day).toString());
    } else if (value instanceof Float || value instanceof Double) {
      return nodes.numberNode(((Number) value).doubleValue());
    } else if (value instanceof Number whole) {
      return nodes.numberNode(whole.longValue());
    } else if (value instanceof DecimalData decimal) {
      return nodes.numberNode(decimal.toBigDecimal());
    } else if (value instanceof ArrayData array) {
      return list(((ArrayType) type).getElementType(), array);
    }
    return nodes.textNode(value.toString());
  }

  private static ArrayNode list(LogicalType type, ArrayData array) {
    ArrayNode list = JSON.createArrayNode();
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(type);
    for (int i = 0; i < array.size(); i++) {
      Object element = getter.getElementOrNull(array, i);
      // A float has fewer digits by itself than as a double.
      list.add(element instanceof Float number ? list.numberNode(number) : node(type, element));
    }
    return list;
  }
}
