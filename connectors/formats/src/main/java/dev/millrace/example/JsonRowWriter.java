package dev.millrace.example;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import java.io.IOException;

/** Writes what {@link JsonRows} reads. */
final class JsonRowWriter {

  private final ExampleShape shape;
  private final ExampleStructure structure;

  JsonRowWriter(ExampleShape shape) {
    this.shape = shape;
    this.structure = shape.structure();
  }

  void writeFeatures(JsonGenerator generator, Example example) throws IOException {
    generator.writeFieldName("features");
    if (!structure.isSequence()) {
      writeFeatureRow(generator, example.features(), 0);
      return;
    }
    generator.writeStartArray();
    for (int step = 0; step < example.steps(); step++) {
      writeFeatureRow(generator, example.features(), step * shape.width());
    }
    generator.writeEndArray();
  }

  void writeLabels(JsonGenerator generator, Example example) throws IOException {
    generator.writeFieldName("labels");
    if (!structure.labelPerStep()) {
      writeLabelRow(generator, example.labels(), 0);
      return;
    }
    generator.writeStartArray();
    for (int step = 0; step < example.steps(); step++) {
      writeLabelRow(generator, example.labels(), step * shape.outputs());
    }
    generator.writeEndArray();
  }

  private void writeFeatureRow(JsonGenerator generator, float[] features, int at)
      throws IOException {
    if (structure.inputs().isEmpty()) {
      writeArray(generator, features, at, shape.width());
      return;
    }
    generator.writeStartObject();
    for (ExampleStructure.Input input : structure.inputs()) {
      generator.writeFieldName(input.name());
      writeArray(generator, features, at + input.features().from(), input.features().length());
    }
    generator.writeEndObject();
  }

  private void writeLabelRow(JsonGenerator generator, float[] labels, int at) throws IOException {
    if (structure.outputs().isEmpty()) {
      writeArray(generator, labels, at, shape.outputs());
      return;
    }
    generator.writeStartObject();
    for (ExampleStructure.Output output : structure.outputs()) {
      generator.writeFieldName(output.name());
      writeArray(generator, labels, at + output.labels().from(), output.labels().length());
    }
    generator.writeEndObject();
  }

  private static void writeArray(JsonGenerator generator, float[] values, int from, int length)
      throws IOException {
    generator.writeStartArray();
    for (int i = from; i < from + length; i++) {
      generator.writeNumber(values[i]);
    }
    generator.writeEndArray();
  }
}
