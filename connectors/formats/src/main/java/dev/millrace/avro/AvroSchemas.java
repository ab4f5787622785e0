package dev.millrace.avro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.millrace.example.Excerpt;
import dev.millrace.registry.SchemaTexts;
import dev.millrace.registry.UnusableSchemaException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * Reads schemas as they are written: JSON, with names that are known from before. What Avro's
 * parser takes stack and time for is bounded before: whoever produces may have written the schema.
 */
final class AvroSchemas {

  private static final int MAX_REASON_CHARACTERS = 200;

  /** Levels of JSON: a record in a record takes four. */
  private static final int MAX_DEPTH = 500;

  private static final int MOST_TYPES = 1000;

  /** Bounds types times characters: for each type the parser (1.12) walks all that it leads to. */
  private static final long MOST_WALKED = 200_000_000;

  private static final Set<String> NAMED_TYPES = Set.of("record", "error", "enum", "fixed");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(SchemaTexts.MOST_CHARACTERS)
                  .build())
          .build();

  private AvroSchemas() {}

  /**
   * A schema by itself.
   *
   * @throws IllegalArgumentException if it is none, saying why
   */
  static Schema of(String json) {
    return of(new SchemaTexts("AVRO", List.of(), json));
  }

  /**
   * A schema of a registry.
   *
   * @throws UnusableSchemaException if it is none of Avro, or is too much to read, saying why
   */
  static Schema registered(SchemaTexts texts) throws UnusableSchemaException {
    if (!texts.type().equals("AVRO")) {
      throw new UnusableSchemaException("it is of type %s".formatted(texts.type()));
    }
    try {
      return of(texts);
    } catch (IllegalArgumentException e) {
      throw new UnusableSchemaException(e.getMessage());
    }
  }

  /**
   * A schema with what it refers to.
   *
   * @throws IllegalArgumentException if it is none, or is too much to read, saying why
   */
  static Schema of(SchemaTexts texts) {
    requireReadable(texts);
    // Writers in other languages are freer with names than Java.
    Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
    parser.setValidateDefaults(false);
    try {
      if (texts.references().isEmpty()) {
        return parser.parse(texts.schema());
      }
      List<Schema.Field> all = parser.parse(together(texts)).getFields();
      return all.get(all.size() - 1).schema();
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("no usable Avro schema: nested too deep", e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "no Avro schema: "
              + Excerpt.oneLine(String.valueOf(e.getMessage()), MAX_REASON_CHARACTERS),
          e);
    }
  }

  /** Fields of one record, whose name nobody can give: one by one, all would be resolved anew. */
  private static String together(SchemaTexts texts) {
    List<String> all = new ArrayList<>(texts.references());
    all.add(texts.schema());
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      fields
          .append(i == 0 ? "" : ",")
          .append("{\"name\":\"%s\",\"type\":%s}".formatted(i, all.get(i)));
    }
    return "{\"type\":\"record\",\"name\":\"all of them\",\"fields\":[" + fields + "]}";
  }

  private static void requireReadable(SchemaTexts texts) {
    long characters = texts.length();
    if (characters > SchemaTexts.MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "no usable Avro schema: %s characters, where at most %s are read"
              .formatted(characters, SchemaTexts.MOST_CHARACTERS));
    }
    int types = types(texts.schema());
    for (String reference : texts.references()) {
      types += types(reference);
    }
    if (types > MOST_TYPES) {
      throw new IllegalArgumentException(
          "no usable Avro schema: %s types, where at most %s are read"
              .formatted(types, MOST_TYPES));
    }
    if (types * characters > MOST_WALKED) {
      throw new IllegalArgumentException(
          "no usable Avro schema: %s types in %s characters are too much; have fewer types, or shorter texts"
              .formatted(types, characters));
    }
  }

  /** Types that have a name, in one text. */
  private static int types(String json) {
    int types = 0;
    try (JsonParser parser = JSON.createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING
            && "type".equals(parser.currentName())
            && NAMED_TYPES.contains(parser.getText())) {
          types++;
        }
      }
      return types;
    } catch (StreamConstraintsException e) {
      throw new IllegalArgumentException(
          "no usable Avro schema: nested deeper than %s levels of JSON".formatted(MAX_DEPTH), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("no Avro schema: it is no JSON", e);
    }
  }
}
