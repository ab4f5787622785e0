package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The elements of an output, as JSON or as bytes. */
final class OutputRows {

  private final InferRequest request;
  private final Answer answer;
  private final OutputTensor output;
  private final ExampleShape shape;

  OutputRows(InferRequest request, Answer answer, OutputTensor output) {
    this.request = request;
    this.answer = answer;
    this.output = output;
    this.shape = answer.model().spec().shape();
  }

  int[] shape() {
    return Signature.shapeOf(shape, output, request.rows(), request.steps());
  }

  /** Returns where each row, or each step of it, begins in the outputs. */
  private int[] begins() {
    int steps = shape.structure().labelPerStep() ? request.steps() : 1;
    int[] begins = new int[request.rows() * steps];
    for (int i = 0; i < begins.length; i++) {
      begins[i] = i / steps * shape.labels() + i % steps * shape.outputs();
    }
    return begins;
  }

  /** Writes the elements. A number that is none, or infinite, is null: JSON has no word for it. */
  void write(JsonGenerator generator) throws IOException {
    float[] values = answer.outputs();
    for (int begin : begins()) {
      switch (output.content()) {
        case NUMBERS -> {
          for (int i = begin + output.range().from(); i < begin + output.range().to(); i++) {
            if (Float.isFinite(values[i])) {
              generator.writeNumber(values[i]);
            } else {
              generator.writeNull();
            }
          }
        }
        case CLASS -> {
          int best = best(begin);
          if (best < 0) {
            generator.writeNull();
          } else {
            generator.writeNumber(best);
          }
        }
        case CLASS_NAME -> {
          String name = name(best(begin));
          if (name == null) {
            generator.writeNull();
          } else {
            generator.writeString(name);
          }
        }
      }
    }
  }

  /**
   * Returns the elements as bytes, little-endian, a text behind four bytes with its length. A class
   * that is none is -1, and its name an empty text.
   */
  byte[] bytes() {
    int[] begins = begins();
    IndexRange range = output.range();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer row =
        ByteBuffer.allocate(Math.max(Long.BYTES, range.length() * Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int begin : begins) {
      row.clear();
      byte[] text = new byte[0];
      switch (output.content()) {
        case NUMBERS -> {
          for (int i = begin + range.from(); i < begin + range.to(); i++) {
            row.putFloat(answer.outputs()[i]);
          }
        }
        case CLASS -> row.putLong(best(begin));
        case CLASS_NAME -> {
          String name = name(best(begin));
          text = name == null ? text : name.getBytes(UTF_8);
          row.putInt(text.length);
        }
      }
      all.write(row.array(), 0, row.position());
      all.writeBytes(text);
    }
    return all.toByteArray();
  }

  private String name(int best) {
    List<String> classes = answer.model().classes();
    return best < 0 || best >= classes.size() ? null : classes.get(best);
  }

  /** The greatest, counted from the first; the first of several; -1 where all are NaN. */
  private int best(int begin) {
    float[] values = answer.outputs();
    int from = begin + output.range().from();
    int best = from;
    for (int i = from + 1; i < begin + output.range().to(); i++) {
      if (values[i] > values[best] || Float.isNaN(values[best])) {
        best = i;
      }
    }
    return Float.isNaN(values[best]) ? -1 : best - from;
  }
}
