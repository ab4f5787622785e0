package dev.millrace.example;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.model.shape.ExampleStructure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The format {@code json}: an object with {@code features}, and {@code label} or {@code labels}; it
 * may have {@code timestamp}, {@code weight} and {@code id}, and fields that nobody knows.
 */
final class JsonFormat implements ExampleFormat {

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
    JsonObjects.read(value, parser -> fields.read(parser, into));
  }

  @Override
  public byte[] write(Example example) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JsonObjects.writer(out)) {
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
