package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;
import java.util.List;

/**
 * Answers as JSON. A number that is none, or infinite, is null: JSON has no word for it.
 *
 * <p>Immutable: any thread may use it.
 */
final class AnswerWriter {

  private final String name;

  /**
   * @param name that clients call the model by
   */
  AnswerWriter(String name) {
    this.name = name;
  }

  byte[] write(InferRequest request, Answer answer) {
    return Json.object(
        generator -> {
          generator.writeStringField("model_name", name);
          generator.writeStringField("model_version", answer.model().version().toString());
          if (request.idOrNull() != null) {
            generator.writeStringField("id", request.idOrNull());
          }
          generator.writeArrayFieldStart("outputs");
          for (OutputTensor output : request.outputs()) {
            generator.writeStartObject();
            write(generator, request, answer, output);
            generator.writeEndObject();
          }
          generator.writeEndArray();
        });
  }

  private static void write(
      JsonGenerator generator, InferRequest request, Answer answer, OutputTensor output)
      throws IOException {
    ExampleShape shape = answer.model().spec().shape();
    generator.writeStringField("name", output.name());
    generator.writeStringField("datatype", output.type().name());
    generator.writeFieldName("shape");
    int[] lengths =
        new Signature(shape, List.of()).shapeOf(output, request.rows(), request.steps());
    generator.writeArray(lengths, 0, lengths.length);
    generator.writeArrayFieldStart("data");
    int steps = shape.structure().labelPerStep() ? request.steps() : 1;
    for (int row = 0; row < request.rows(); row++) {
      for (int step = 0; step < steps; step++) {
        int at = row * shape.labels() + step * shape.outputs();
        write(generator, answer, output, at);
      }
    }
    generator.writeEndArray();
  }

  private static void write(JsonGenerator generator, Answer answer, OutputTensor output, int at)
      throws IOException {
    float[] values = answer.outputs();
    IndexRange range = output.range();
    switch (output.content()) {
      case NUMBERS -> {
        for (int i = at + range.from(); i < at + range.to(); i++) {
          if (Float.isFinite(values[i])) {
            generator.writeNumber(values[i]);
          } else {
            generator.writeNull();
          }
        }
      }
      case CLASS -> {
        int best = best(values, at + range.from(), at + range.to());
        if (best < 0) {
          generator.writeNull();
        } else {
          generator.writeNumber(best);
        }
      }
      case CLASS_NAME -> {
        int best = best(values, at + range.from(), at + range.to());
        List<String> classes = answer.model().classes();
        if (best < 0 || best >= classes.size()) {
          generator.writeNull();
        } else {
          generator.writeString(classes.get(best));
        }
      }
    }
  }

  /** The greatest, counted from the first; the first of several; -1 where all are NaN. */
  private static int best(float[] values, int from, int to) {
    int best = from;
    for (int i = from + 1; i < to; i++) {
      if (values[i] > values[best] || Float.isNaN(values[best])) {
        best = i;
      }
    }
    return Float.isNaN(values[best]) ? -1 : best - from;
  }
}
