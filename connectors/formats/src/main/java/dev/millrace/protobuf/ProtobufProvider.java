package dev.millrace.protobuf;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

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

  static RecordFormat create(FieldPlan plan, Map<String, String> options, boolean hasHeader) {
    String file = options.get(DESCRIPTOR);
    String message = options.get(MESSAGE);
    if (file == null || message == null) {
      throw new IllegalArgumentException(
          "Protobuf needs a file of descriptors (protoc --include_imports"
              + " --descriptor_set_out=FILE) and the full name of a message in it");
    }
    try {
      return new ProtobufFormat(Files.readAllBytes(Path.of(file)), message, hasHeader, plan);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The descriptors in %s can't be read: %s".formatted(file, Reason.of(e)), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The descriptors in %s don't serve: %s".formatted(file, e.getMessage()), e);
    }
  }
}
