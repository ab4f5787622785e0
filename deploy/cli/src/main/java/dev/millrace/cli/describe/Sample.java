package dev.millrace.cli.describe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the fields of some records look like. */
public final class Sample {

  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, FieldProfile> fields = new LinkedHashMap<>();
  private long rows;
  private long unreadable;

  /** Takes in a row of a table. */
  public void row(List<String> columns, List<String> cells) {
    rows++;
    for (int i = 0; i < columns.size(); i++) {
      FieldProfile field = field(columns.get(i));
      if (i < cells.size()) {
        field.cell(cells.get(i));
      }
    }
  }

  /** Takes in a JSON object; other text is only counted. */
  public void json(byte[] value) {
    try {
      JsonNode node = JSON.readTree(value);
      if (node != null && node.isObject()) {
        rows++;
        members(node, "");
        return;
      }
    } catch (JsonProcessingException e) {
      // Counted below.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    unreadable++;
  }

  private void members(JsonNode node, String prefix) {
    node.properties()
        .forEach(
            member -> {
              String path = prefix + member.getKey();
              JsonNode value = member.getValue();
              if (value.isObject()) {
                members(value, path + ".");
              } else {
                value(field(path), value);
              }
            });
  }

  private static void value(FieldProfile field, JsonNode value) {
    if (value.isNumber()) {
      field.number(value.doubleValue(), value.asText());
    } else if (value.isBoolean()) {
      field.truth(value.asText());
    } else if (value.isTextual()) {
      field.text(value.asText());
    } else if (!value.isNull()) {
      field.other();
    }
  }

  private FieldProfile field(String path) {
    return fields.computeIfAbsent(path, FieldProfile::new);
  }

  /** The fields in the order in which they came first. */
  List<FieldProfile> fields() {
    Collection<FieldProfile> values = fields.values();
    return new ArrayList<>(values);
  }

  /** Records that were taken in. */
  public long rows() {
    return rows;
  }

  /** Records that were none of the format. */
  public long unreadable() {
    return unreadable;
  }
}
