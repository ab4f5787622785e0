package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers as JSON, and outputs behind it that are asked for as binary data.
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

  Written write(InferRequest request, Answer answer) {
    List<byte[]> tail = new ArrayList<>();
    byte[] json =
        Json.object(
            generator -> {
              generator.writeStringField("model_name", name);
              generator.writeStringField("model_version", answer.model().version().toString());
              if (request.idOrNull() != null) {
                generator.writeStringField("id", request.idOrNull());
              }
              generator.writeArrayFieldStart("outputs");
              for (WantedOutput output : request.outputs()) {
                generator.writeStartObject();
                write(generator, new OutputRows(request, answer, output.tensor()), output, tail);
                generator.writeEndObject();
              }
              generator.writeEndArray();
            });
    return new Written(json, tail);
  }

  private static void write(
      JsonGenerator generator, OutputRows rows, WantedOutput wanted, List<byte[]> tail)
      throws IOException {
    OutputTensor output = wanted.tensor();
    generator.writeStringField("name", output.name());
    generator.writeStringField("datatype", output.type().name());
    generator.writeFieldName("shape");
    int[] lengths = rows.shape();
    generator.writeArray(lengths, 0, lengths.length);
    if (wanted.binary()) {
      byte[] bytes = rows.bytes();
      tail.add(bytes);
      generator.writeObjectFieldStart("parameters");
      generator.writeNumberField(Parameters.SIZE, bytes.length);
      generator.writeEndObject();
    } else {
      generator.writeArrayFieldStart("data");
      rows.write(generator);
      generator.writeEndArray();
    }
  }
}
