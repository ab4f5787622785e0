package dev.millrace.job.score;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A prediction as JSON; docs/internals/formats.md describes it.
 *
 * <p>Not thread-safe.
 */
final class PredictionFormat {

  // The pool of buffers is the factory's own, so that no thread keeps this class, and its class
  // loader, alive.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
          .build();

  private final ExampleShape shape;
  private final List<String> classes;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * @param classes names of the classes in the order of their numbers; none for the numbers
   */
  PredictionFormat(ExampleShape shape, List<String> classes) {
    this.shape = shape;
    this.classes = List.copyOf(classes);
  }

  /**
   * @param now milliseconds since the epoch
   */
  byte[] write(Prediction prediction, long now) {
    out.reset();
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      generator.writeStartObject();
      if (prediction.id() != null) {
        generator.writeStringField("id", prediction.id());
      }
      writeOutputs(generator, prediction.outputs());
      generator.writeStringField("version", prediction.version().toString());
      generator.writeStringField("topic", prediction.partition().topic());
      generator.writeNumberField("partition", prediction.partition().number());
      generator.writeNumberField("offset", prediction.offset());
      if (prediction.hasLatency()) {
        generator.writeNumberField("latency_ms", prediction.latency(now));
      }
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Writes outputs: several as an object each, by their names. */
  private void writeOutputs(JsonGenerator generator, float[] outputs) throws IOException {
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
