package dev.millrace.avro;

import dev.millrace.example.Excerpt;
import dev.millrace.registry.SchemaTexts;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** Reads schemas as they are written: JSON, with names that are known from before. */
final class AvroSchemas {

  private static final int MAX_REASON_CHARACTERS = 200;

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
   * A schema with what it refers to.
   *
   * @throws IllegalArgumentException if it is none, saying why
   */
  static Schema of(SchemaTexts texts) {
    // Writers in other languages are freer with names than Java.
    Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
    parser.setValidateDefaults(false);
    try {
      texts.references().forEach(parser::parse);
      return parser.parse(texts.schema());
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException(
          "no Avro schema: "
              + Excerpt.oneLine(String.valueOf(e.getMessage()), MAX_REASON_CHARACTERS),
          e);
    }
  }
}
