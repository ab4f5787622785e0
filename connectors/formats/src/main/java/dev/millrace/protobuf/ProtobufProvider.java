package dev.millrace.protobuf;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import dev.millrace.fields.SchemaField;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The format {@code protobuf}. Its descriptors go with the job: only who submits it needs the file.
 */
public final class ProtobufProvider implements RecordFormatProvider {

  private static final String DESCRIPTOR = "schema";
  private static final String MESSAGE = "protobuf.message";

  @Override
  public String name() {
    return "protobuf";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return create(plan, options, false);
  }

  @Override
  public List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return fields(options);
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return objects(options, false);
  }

  static RecordFormat create(FieldPlan plan, Map<String, String> options, boolean hasHeader) {
    return read(
        options,
        (descriptors, message) -> new ProtobufFormat(descriptors, message, hasHeader, plan));
  }

  static RecordObjects objects(Map<String, String> options, boolean hasHeader) {
    return read(
        options, (descriptors, message) -> new ProtobufObjects(descriptors, message, hasHeader));
  }

  static List<SchemaField> fields(Map<String, String> options) {
    return read(
        options, (descriptors, message) -> ProtobufFields.of(MessageType.of(descriptors, message)));
  }

  private static <T> T read(Map<String, String> options, BiFunction<byte[], String, T> reader) {
    String file = options.get(DESCRIPTOR);
    String message = options.get(MESSAGE);
    if (file == null || message == null) {
      throw new IllegalArgumentException(
          "Protobuf needs a file of descriptors (protoc --include_imports"
              + " --descriptor_set_out=FILE) and the full name of a message in it");
    }
    try {
      return reader.apply(Files.readAllBytes(Path.of(file)), message);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The descriptors in %s can't be read: %s".formatted(file, Reason.of(e)), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The descriptors in %s don't serve: %s".formatted(file, e.getMessage()), e);
    }
  }
}
