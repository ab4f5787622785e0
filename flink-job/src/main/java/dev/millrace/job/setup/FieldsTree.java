package dev.millrace.job.setup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;

/** Copies a list of fields from YAML to JSON. Values stay the text that is written. */
final class FieldsTree {

  private static final JsonFactory JSON = new JsonFactory();

  private FieldsTree() {}

  /**
   * All of an array that was begun.
   *
   * @throws IOException if it can't be parsed
   */
  static String copy(JsonParser parser) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      generator.writeStartArray();
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        write(parser, token, generator);
      }
    }
    return text.toString();
  }

  private static void write(JsonParser parser, JsonToken token, JsonGenerator generator)
      throws IOException {
    switch (token) {
      case START_ARRAY -> generator.writeStartArray();
      case END_ARRAY -> generator.writeEndArray();
      case START_OBJECT -> generator.writeStartObject();
      case END_OBJECT -> generator.writeEndObject();
      case FIELD_NAME -> generator.writeFieldName(parser.currentName());
      case VALUE_NULL -> generator.writeNull();
      default -> generator.writeString(parser.getText());
    }
  }
}
