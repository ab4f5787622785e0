package dev.millrace.avro;

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
import java.util.function.Function;

/** The format {@code avro}. Its schema goes with the job: only who submits it needs the file. */
public final class AvroProvider implements RecordFormatProvider {

  private static final String SCHEMA = "schema";

  @Override
  public String name() {
    return "avro";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return read(options, schema -> new AvroFormat(schema, plan));
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return read(options, AvroObjects::new);
  }

  @Override
  public List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return read(options, schema -> AvroFields.of(AvroSchemas.of(schema)));
  }

  private static <T> T read(Map<String, String> options, Function<String, T> reader) {
    String schema = options.get(SCHEMA);
    if (schema == null) {
      throw new IllegalArgumentException(
          "The format avro needs the schema that records are written with; give a file (.avsc), or"
              + " the schema itself as JSON");
    }
    if (schema.strip().startsWith("{") || schema.strip().startsWith("[")) {
      return reader.apply(schema);
    }
    try {
      return reader.apply(Files.readString(Path.of(schema)));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The Avro schema in %s can't be read: %s".formatted(schema, Reason.of(e)), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s holds %s".formatted(schema, e.getMessage()), e);
    }
  }
}
