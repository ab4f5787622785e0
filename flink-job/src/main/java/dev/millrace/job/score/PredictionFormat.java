package dev.millrace.job.score;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.model.ExampleShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A prediction as JSON; docs/formats.md describes it.
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

  private void writeOutputs(JsonGenerator generator, float[] outputs) throws IOException {
    switch (shape.target()) {
      case CLASSIFICATION -> {
        writeClass(generator, outputs);
        writeArray(generator, "probabilities", outputs);
      }
      case MULTI_LABEL -> writeArray(generator, "scores", outputs);
      case REGRESSION -> writeArray(generator, "values", outputs);
    }
  }

  private void writeClass(JsonGenerator generator, float[] probabilities) throws IOException {
    int best = 0;
    for (int i = 1; i < probabilities.length; i++) {
      if (probabilities[i] > probabilities[best] || Float.isNaN(probabilities[best])) {
        best = i;
      }
    }
    if (Float.isNaN(probabilities[best])) {
      generator.writeNullField("class");
    } else if (classes.isEmpty()) {
      generator.writeNumberField("class", best);
    } else {
      generator.writeStringField("class", classes.get(best));
    }
  }

  private static void writeArray(JsonGenerator generator, String name, float[] values)
      throws IOException {
    generator.writeArrayFieldStart(name);
    for (float value : values) {
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
