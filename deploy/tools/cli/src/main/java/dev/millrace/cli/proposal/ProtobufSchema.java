package dev.millrace.cli.proposal;

import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.ProtoFile;
import com.squareup.wire.schema.Schema;
import com.squareup.wire.schema.SchemaLoader;
import com.squareup.wire.schema.internal.SchemaEncoder;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.protobuf.DescriptorSet;
import dev.millrace.registry.SchemaTexts;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.FileUtils;

/**
 * A registry's Protobuf schema, which is the text of a file, as descriptors.
 *
 * @param descriptors as {@code protoc --include_imports} writes them
 * @param message the full name of a value's message
 */
record ProtobufSchema(byte[] descriptors, String message) {

  private static final String FILE = "schema.proto";

  /**
   * Compiles a schema.
   *
   * @param value of a registry's serializer, which says which message it holds
   * @throws IllegalArgumentException if it can't be compiled
   * @throws IOException if no temporary files can be written
   */
  static ProtobufSchema of(SchemaTexts texts, byte[] value) throws IOException {
    Path directory = TemporaryFiles.directory("millrace-proto").toRealPath();
    try {
      write(directory, FILE, texts.schema());
      for (int i = 0; i < texts.references().size(); i++) {
        write(directory, texts.names().get(i), texts.references().get(i));
      }
      SchemaLoader loader = new SchemaLoader(FileSystems.getDefault());
      loader.initRoots(List.of(Location.get(directory.toString())), List.of());
      Schema schema = loader.loadSchema();
      SchemaEncoder encoder = new SchemaEncoder(schema);
      List<byte[]> files = new ArrayList<>();
      for (ProtoFile file : schema.getProtoFiles()) {
        // Wire adds a file of its own.
        if (!file.getLocation().getPath().startsWith("wire/")) {
          files.add(encoder.encode(file).toByteArray());
        }
      }
      byte[] own = encoder.encode(schema.protoFile(FILE)).toByteArray();
      return new ProtobufSchema(DescriptorSet.of(files), DescriptorSet.message(own, value));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "The registry's Protobuf schema can't be compiled: %s; make a file of descriptors by protoc, and give --format protobuf-confluent --input.schema FILE --input.protobuf.message NAME"
              .formatted(e.getMessage()),
          e);
    } finally {
      FileUtils.deleteDirectory(directory.toFile());
    }
  }

  private static void write(Path directory, String name, String text) throws IOException {
    Path file = directory.resolve(name).normalize();
    if (!file.startsWith(directory) || file.equals(directory)) {
      throw new IllegalArgumentException("it imports '%s'".formatted(name));
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
