package dev.millrace.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ServableModel;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes models as ONNX files. */
public final class OnnxExporter implements ModelExporter {

  @Override
  public Agreement write(ServableModel model, Path file) throws IOException {
    ModelGraph graph = new ModelGraph(model);
    write(graph.proto(), file);
    return RuntimeCheck.run(model, graph.ids(), file);
  }

  @Override
  public Version addVersion(ServableModel model, Path directory) throws IOException {
    return ModelRepository.of(directory).add(this, model);
  }

  @Override
  public Agreement writeMlflow(ServableModel model, Path directory) throws IOException {
    return NewDirectory.write(
        directory, unfinished -> new MlflowModel(model).write(this, unfinished));
  }

  private static void write(ModelProto proto, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      proto.writeTo(out);
    }
  }
}
