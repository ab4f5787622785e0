package dev.millrace.example;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.model.ExampleStructure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The format {@code json}: an object with {@code features}, and {@code label} or {@code labels}; it
 * may have {@code timestamp}, {@code weight} and {@code id}, and fields that nobody knows.
 */
final class JsonFormat implements ExampleFormat {

  private static final int MAX_DEPTH = 64;
  private static final int MAX_REASON_CHARACTERS = 200;

  // Field names come from producers: interned, they would stay in memory for ever. The pool of
  // buffers is the factory's own, so that no thread keeps this class, and its class loader, alive.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private final JsonFields fields;
  private final ExampleRules rules;
  private final ClassNames classNames;

  JsonFormat(ExampleRules rules, FormatSettings settings) {
    this.rules = rules;
    this.classNames = new ClassNames(settings.classNames(), rules.shape());
    this.fields = new JsonFields(rules, classNames);
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    // The parser looks closely only at texts that are asked for.
    Utf8.require(value);
    try (JsonParser parser = JSON.createParser(value)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw new InvalidExampleException(
            "a JSON object expected, %s found".formatted(JsonFields.describe(first)));
      }
      fields.read(parser, into);
      if (parser.nextToken() != null) {
        throw new InvalidExampleException(
            "nothing expected after the object, more found at byte "
                + parser.currentTokenLocation().getByteOffset());
      }
    } catch (StreamConstraintsException e) {
      throw new InvalidExampleException("beyond a limit: " + message(e));
    } catch (JsonProcessingException e) {
      throw new InvalidExampleException(
          "not JSON at byte %d: %s".formatted(e.getLocation().getByteOffset(), message(e)));
    } catch (IOException | RuntimeException e) {
      // Bytes that are no text in any encoding of JSON end here, each in a way of its own.
      throw new InvalidExampleException(
          "not JSON: " + Excerpt.oneLine(String.valueOf(e.getMessage()), MAX_REASON_CHARACTERS));
    }
  }

  private static String message(JsonProcessingException e) {
    return Excerpt.oneLine(String.valueOf(e.getOriginalMessage()), MAX_REASON_CHARACTERS);
  }

  @Override
  public byte[] write(Example example) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      generator.writeStartObject();
      writeExample(generator, example);
      if (example.weight() != 1) {
        generator.writeNumberField("weight", example.weight());
      }
      if (example.timestamp() != Example.NO_TIMESTAMP) {
        generator.writeNumberField("timestamp", example.timestamp());
      }
      if (example.id() != null) {
        generator.writeStringField("id", example.id());
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void writeExample(JsonGenerator generator, Example example) throws IOException {
    ExampleStructure structure = rules.shape().structure();
    JsonRowWriter rows = new JsonRowWriter(rules.shape());
    if (rules.shape().isFlat()) {
      writeArray(generator, "features", example.features());
    } else {
      rows.writeFeatures(generator, example);
    }
    if (rules.isLabelled()) {
      if (structure.labelPerStep() || !structure.outputs().isEmpty()) {
        rows.writeLabels(generator, example);
      } else {
        writeLabels(generator, example);
      }
    }
  }

  private void writeLabels(JsonGenerator generator, Example example) throws IOException {
    if (!rules.isClassification()) {
      writeArray(generator, "labels", example.labels());
    } else if (classNames.areGiven()) {
      byte[] name = classNames.name(rules.classOf(example));
      generator.writeFieldName("label");
      generator.writeUTF8String(name, 0, name.length);
    } else {
      generator.writeNumberField("label", rules.classOf(example));
    }
  }

  private static void writeArray(JsonGenerator generator, String name, float[] values)
      throws IOException {
    generator.writeArrayFieldStart(name);
    for (float value : values) {
      generator.writeNumber(value);
    }
    generator.writeEndArray();
  }
}
