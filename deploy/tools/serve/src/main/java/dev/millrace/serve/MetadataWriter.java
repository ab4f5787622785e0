package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.serve.Signature.InputTensor;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;

/**
 * What a model takes and gives, as JSON.
 *
 * <p>Immutable: any thread may use it.
 */
final class MetadataWriter {

  private final String name;

  /**
   * @param name that clients call the model by
   */
  MetadataWriter(String name) {
    this.name = name;
  }

  byte[] write(ServedModel model) {
    Signature signature = Signature.of(model);
    return Json.object(
        generator -> {
          generator.writeStringField("name", name);
          generator.writeArrayFieldStart("versions");
          generator.writeString(model.version().toString());
          generator.writeEndArray();
          generator.writeStringField("platform", "millrace_" + model.spec().engine());
          generator.writeArrayFieldStart("inputs");
          for (InputTensor input : signature.inputs()) {
            write(generator, input.name(), input.type(), input.shape());
          }
          generator.writeEndArray();
          generator.writeArrayFieldStart("outputs");
          for (OutputTensor output : signature.outputs()) {
            write(
                generator,
                output.name(),
                output.type(),
                Signature.shapeOf(signature.shape(), output, Signature.ANY, Signature.ANY));
          }
          generator.writeEndArray();
        });
  }

  private static void write(JsonGenerator generator, String name, Datatype type, int[] shape)
      throws IOException {
    generator.writeStartObject();
    generator.writeStringField("name", name);
    generator.writeStringField("datatype", type.name());
    generator.writeFieldName("shape");
    generator.writeArray(shape, 0, shape.length);
    generator.writeEndObject();
  }
}
