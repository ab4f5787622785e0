package dev.millrace.fields;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes one field of a description, its keys always in the same order. */
public final class FieldWriter {

  private final ObjectNode node = JsonNodeFactory.instance.objectNode();

  FieldWriter() {}

  /** Writes what all kinds have; the kind's own keys follow. */
  static ObjectNode write(FeatureField field) {
    FieldWriter writer = new FieldWriter();
    FieldSource source = field.source();
    writer.put("path", source.path().toString());
    writer.put("name", source.name());
    if (!source.aliases().isEmpty()) {
      writer.put("aliases", source.aliases().stream().map(FieldPath::toString).toList());
    }
    if (!source.input().isEmpty()) {
      writer.put("input", source.input());
    }
    field.describe(writer);
    if (source.required()) {
      writer.put("missing", "reject");
    }
    return writer.node;
  }

  void put(String key, String value) {
    node.put(key, value);
  }

  void put(String key, int value) {
    node.put(key, value);
  }

  void put(String key, boolean value) {
    node.put(key, value);
  }

  void put(String key, List<String> values) {
    ArrayNode array = node.putArray(key);
    values.forEach(array::add);
  }

  void putNumberOr(String key, double value, String other) {
    if (Double.isNaN(value)) {
      node.put(key, other);
    } else {
      node.put(key, value);
    }
  }

  /** A lowest and a highest value, null where there is none. */
  void putBounds(String key, double low, double high) {
    ArrayNode array = node.putArray(key);
    array.add(Double.isFinite(low) ? Double.valueOf(low) : null);
    array.add(Double.isFinite(high) ? Double.valueOf(high) : null);
  }
}
