package dev.millrace.job.follow;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.List;

/**
 * What a model says of one example as members of a JSON object: class and probabilities, scores or
 * values; docs/internals/formats.md describes it.
 *
 * <p>Immutable: any thread may use it.
 */
public final class PredictedMembers {

  private final ExampleShape shape;
  private final List<String> classes;

  /**
   * @param classes names of the classes in the order of their numbers; none for the numbers
   */
  public PredictedMembers(ExampleShape shape, List<String> classes) {
    this.shape = shape;
    this.classes = List.copyOf(classes);
  }

  /**
   * Writes them: those of several outputs as an object each, by their names.
   *
   * @param outputs of one example; of all its steps, where each has some
   */
  public void write(JsonGenerator generator, float[] outputs) throws IOException {
    List<Output> named = shape.structure().outputs();
    if (named.isEmpty()) {
      writeOutput(generator, shape.target(), outputs, new IndexRange(0, shape.outputs()));
      return;
    }
    generator.writeObjectFieldStart("outputs");
    for (Output output : named) {
      generator.writeObjectFieldStart(output.name());
      writeOutput(generator, output.target(), outputs, output.labels());
      generator.writeEndObject();
    }
    generator.writeEndObject();
  }

  private void writeOutput(
      JsonGenerator generator, Target target, float[] outputs, IndexRange range)
      throws IOException {
    switch (target) {
      case CLASSIFICATION -> {
        generator.writeFieldName("class");
        writeRows(generator, outputs, at -> writeClass(generator, outputs, at, range));
        writeArrays(generator, "probabilities", outputs, range);
      }
      case MULTI_LABEL -> writeArrays(generator, "scores", outputs, range);
      case REGRESSION -> writeArrays(generator, "values", outputs, range);
    }
  }

  private void writeArrays(JsonGenerator generator, String name, float[] outputs, IndexRange range)
      throws IOException {
    generator.writeFieldName(name);
    writeRows(
        generator,
        outputs,
        at -> writeArray(generator, outputs, at + range.from(), at + range.to()));
  }

  /** Writes what a row of outputs begins with. */
  private interface RowWriter {

    void write(int at) throws IOException;
  }

  /** An array with an element for each step, where steps have outputs; else one row alone. */
  private void writeRows(JsonGenerator generator, float[] outputs, RowWriter row)
      throws IOException {
    if (!shape.structure().labelPerStep()) {
      row.write(0);
      return;
    }
    generator.writeStartArray();
    for (int at = 0; at < outputs.length; at += shape.outputs()) {
      row.write(at);
    }
    generator.writeEndArray();
  }

  private void writeClass(JsonGenerator generator, float[] outputs, int at, IndexRange range)
      throws IOException {
    int first = at + range.from();
    int best = first;
    for (int i = first + 1; i < at + range.to(); i++) {
      if (outputs[i] > outputs[best] || Float.isNaN(outputs[best])) {
        best = i;
      }
    }
    if (Float.isNaN(outputs[best])) {
      generator.writeNull();
    } else if (classes.isEmpty()) {
      generator.writeNumber(best - first);
    } else {
      generator.writeString(classes.get(best - first));
    }
  }

  private static void writeArray(JsonGenerator generator, float[] values, int from, int to)
      throws IOException {
    generator.writeStartArray();
    for (int i = from; i < to; i++) {
      float value = values[i];
      if (Float.isFinite(value)) {
        generator.writeNumber(value);
      } else {
        // JSON has no word for it.
        generator.writeNull();
      }
    }
    generator.writeEndArray();
  }
}
