package dev.millrace.fields.json;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import dev.millrace.fields.SchemaField;
import dev.millrace.registry.RegisteredSchemas;
import java.util.List;
import java.util.Map;

/** The format {@code json-confluent}. */
public final class ConfluentJsonProvider implements RecordFormatProvider {

  @Override
  public String name() {
    return "json-confluent";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return new ConfluentJsonRecords(plan);
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return ConfluentJsonRecords::object;
  }

  @Override
  public List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return JsonSchemaFields.of(RegisteredSchemas.one(value, options).schema());
  }
}
