package dev.millrace.avro;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import dev.millrace.fields.SchemaField;
import dev.millrace.registry.RegisteredSchemas;
import dev.millrace.registry.SettingsReader;
import java.util.List;
import java.util.Map;

/** The format {@code avro-confluent}. */
public final class ConfluentAvroProvider implements RecordFormatProvider {

  @Override
  public String name() {
    return "avro-confluent";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return new ConfluentAvroFormat(SettingsReader.of(options, "registry."), plan);
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return new ConfluentAvroObjects(SettingsReader.of(options, "registry."));
  }

  @Override
  public List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return AvroFields.of(AvroSchemas.of(RegisteredSchemas.one(value, options)));
  }
}
