package dev.millrace.fields.csv;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.example.CsvLine;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonBytes;
import dev.millrace.example.Utf8;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.RecordObjects;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Makes objects of lines of csv. A cell that is a number in JSON, or true or false, is one, and any
 * other a text; an empty one is left out.
 */
final class CsvObjects implements RecordObjects {

  /** A number without an exponent, in the range of doubles: as a word it stays what it is. */
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,300})(\\.\\d{1,300})?");

  private final List<String> columns;
  private final CsvLine line;

  /**
   * Makes objects with a field for each column.
   *
   * @throws IllegalArgumentException if there are none, or two have the same name
   */
  CsvObjects(char separator, List<String> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "The columns of csv have no names, and fields need them; name the columns");
    }
    if (new HashSet<>(columns).size() < columns.size()) {
      throw new IllegalArgumentException(
          "Two columns of csv have the same name: %s; rename one"
              .formatted(String.join(", ", columns)));
    }
    this.columns = List.copyOf(columns);
    this.line = new CsvLine(separator, columns.size());
  }

  @Override
  public byte[] json(byte[] value) throws InvalidExampleException {
    WireHeader.refuse(value);
    Utf8.require(value);
    int found = line.split(value);
    if (found != columns.size()) {
      throw new InvalidExampleException(
          "%s columns expected, %s found".formatted(columns.size(), found));
    }
    try {
      return JsonBytes.of(out -> write(value, out));
    } catch (IOException e) {
      throw new InvalidExampleException("no JSON can be made of the line: " + e.getMessage());
    }
  }

  private void write(byte[] value, JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (int i = 0; i < columns.size(); i++) {
      int from = line.start(i);
      int to = line.end(i);
      if (from < to) {
        out.writeFieldName(columns.get(i));
        // In quotes, a quote is written twice; elsewhere there is none.
        write(new String(value, from, to - from, UTF_8).replace("\"\"", "\""), out);
      }
    }
    out.writeEndObject();
  }

  private static void write(String cell, JsonGenerator out) throws IOException {
    switch (cell) {
      case "true", "True", "TRUE" -> out.writeBoolean(true);
      case "false", "False", "FALSE" -> out.writeBoolean(false);
      default -> {
        if (NUMBER.matcher(cell).matches()) {
          out.writeNumber(cell);
        } else {
          out.writeString(cell);
        }
      }
    }
  }
}
