package dev.millrace.cli.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.CsvLine;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the fields of some records look like. */
public final class Sample {

  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, FieldProfile> fields = new LinkedHashMap<>();
  private long rows;
  private long unreadable;

  /**
   * The path of a column.
   *
   * @param name of the column
   */
  public static String path(String name) {
    FieldPath itself = new FieldPath(List.of(name));
    try {
      FieldPath path = FieldPath.of(name);
      boolean named = path.steps().stream().allMatch(String.class::isInstance);
      return named && path.toString().equals(name) ? name : itself.toString();
    } catch (IllegalArgumentException e) {
      return itself.toString();
    }
  }

  /**
   * Takes in a row of a table.
   *
   * @param columns their paths
   */
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
        members(node, FieldPath.ROOT);
        return;
      }
    } catch (JsonProcessingException e) {
      // Counted below.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    unreadable++;
  }

  /**
   * Takes in a line of csv; other text is only counted.
   *
   * @param names of the columns; empty where they are called by their places
   */
  public void csv(byte[] value, char separator, List<String> names) {
    CsvLine line = new CsvLine(separator, Short.MAX_VALUE);
    try {
      int found = Math.min(Short.MAX_VALUE, line.split(value));
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < found; i++) {
        cells.add(new String(value, line.start(i), line.end(i) - line.start(i), UTF_8));
      }
      row(names.isEmpty() ? places(found) : names.stream().map(Sample::path).toList(), cells);
    } catch (InvalidExampleException e) {
      unreadable++;
    }
  }

  /** Paths of columns without names. */
  static List<String> places(int columns) {
    return IntStream.range(0, columns).mapToObj(column -> "[%s]".formatted(column)).toList();
  }

  private void members(JsonNode node, FieldPath place) {
    node.properties()
        .forEach(
            member -> {
              FieldPath path = place.then(member.getKey());
              JsonNode value = member.getValue();
              if (value.isObject()) {
                members(value, path);
              } else {
                value(field(path.toString()), value);
              }
            });
  }

  private static void value(FieldProfile field, JsonNode value) {
    if (value.isNumber()) {
      field.number(value.doubleValue(), text(value));
    } else if (value.isBoolean()) {
      field.truth(value.asText());
    } else if (value.isTextual()) {
      field.text(value.asText());
    } else if (!value.isNull()) {
      field.other();
    }
  }

  /** A whole number as one, so that 1.0 is the class 1. */
  private static String text(JsonNode number) {
    boolean whole = number.isFloatingPointNumber() && number.canConvertToExactIntegral();
    return whole && number.canConvertToLong() ? Long.toString(number.longValue()) : number.asText();
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
