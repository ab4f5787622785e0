package dev.millrace.job.score;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.job.follow.PredictedMembers;
import dev.millrace.model.shape.ExampleShape;
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

  private final PredictedMembers members;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * @param classes names of the classes in the order of their numbers; none for the numbers
   */
  PredictionFormat(ExampleShape shape, List<String> classes) {
    this.members = new PredictedMembers(shape, classes);
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
      members.write(generator, prediction.outputs());
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
}
