package dev.millrace.job.setup;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;

/** Copies a list of fields from YAML to JSON. Values stay the text that is written. */
final class FieldsTree {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().characterEscapes(new LineBreaks()).build();

  /** What YAML takes for the end of a line, also where it reads JSON. */
  private static final class LineBreaks extends CharacterEscapes {

    private static final long serialVersionUID = 1L;

    @Override
    public int[] getEscapeCodesForAscii() {
      return standardAsciiEscapesForJSON();
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return switch (character) {
        case '\u0085', '\u2028', '\u2029' ->
            new SerializedString(String.format(Locale.ROOT, "\\u%04x", character));
        default -> null;
      };
    }
  }

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
