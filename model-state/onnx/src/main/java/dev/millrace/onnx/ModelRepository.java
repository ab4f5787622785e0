package dev.millrace.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelExporter.Version;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.AtomicFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of one model in a model repository of Triton, which KServe's runtime for it reads,
 * too:
 *
 * <pre>
 * config.pbtxt       inputs, outputs, batching; written once, so that an owner's changes stay
 * 1/model.onnx
 * 2/model.onnx       the newest, which Triton serves
 * </pre>
 */
final class ModelRepository {

  private static final String CONFIG = "config.pbtxt";
  private static final String FILE = "model.onnx";

  /** Triton knows no other names of versions. */
  private static final Pattern VERSION = Pattern.compile("[1-9]\\d{0,8}");

  private final Path directory;

  private ModelRepository(Path directory) {
    this.directory = directory;
  }

  static ModelRepository of(Path directory) {
    return new ModelRepository(directory.toAbsolutePath().normalize());
  }

  Version add(OnnxExporter exporter, ServableModel model) throws IOException {
    Files.createDirectories(directory);
    int newest = newest();
    // Triton passes over what is no number, as what is unfinished is.
    Path version = directory.resolve(Integer.toString(newest + 1));
    Agreement agreement =
        NewDirectory.write(
            version,
            unfinished -> {
              Agreement written = exporter.write(model, unfinished.resolve(FILE));
              GraphProto graph = read(unfinished.resolve(FILE));
              if (newest > 0) {
                requireSame(read(directory.resolve(Integer.toString(newest)).resolve(FILE)), graph);
              }
              configure(graph);
              return written;
            });
    return new Version(newest + 1, version.resolve(FILE), agreement);
  }

  /** 0 where there is no version. */
  private int newest() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(VERSION.asMatchPredicate())
          .mapToInt(Integer::parseInt)
          .max()
          .orElse(0);
    }
  }

  private static GraphProto read(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return ModelProto.parseFrom(in).getGraph();
    }
  }

  /** A server that follows the directory would fail to load it, or clients to call it. */
  private void requireSame(GraphProto served, GraphProto added) {
    if (!served.getInputList().equals(added.getInputList())
        || !served.getOutputList().equals(added.getOutputList())) {
      throw new InvalidModelException(
          "The newest version in %s has other inputs or outputs; name another directory"
              .formatted(directory));
    }
  }

  private void configure(GraphProto graph) throws IOException {
    Path file = directory.resolve(CONFIG);
    if (Files.exists(file)) {
      return;
    }
    try (AtomicFile config = AtomicFile.create(file, false)) {
      String name = directory.getFileName().toString();
      Files.writeString(config.unfinished(), TritonConfig.text(name, graph));
      config.commit();
    }
  }
}
