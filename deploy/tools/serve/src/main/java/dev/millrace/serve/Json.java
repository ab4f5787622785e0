package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Objects of JSON as bytes. */
final class Json {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build();

  private Json() {}

  /** What an object has. */
  interface Fields {

    void write(JsonGenerator generator) throws IOException;
  }

  /** An object. */
  static byte[] object(Fields fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      generator.writeStartObject();
      fields.write(generator);
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Writes what went wrong, as the protocol has it. */
  static byte[] error(String message) {
    // A message shows what clients send, and the generator refuses halves of surrogate pairs.
    String valid = new String(message.getBytes(UTF_8), UTF_8);
    return object(generator -> generator.writeStringField("error", valid));
  }
}
