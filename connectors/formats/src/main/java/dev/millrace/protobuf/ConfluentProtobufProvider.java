package dev.millrace.protobuf;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import dev.millrace.fields.SchemaField;
import java.util.List;
import java.util.Map;

/**
 * The format {@code protobuf-confluent}. A registry has the text of a message's file alone, and
 * fields are told apart by number: so it is read by given descriptors, and no registry is asked.
 */
public final class ConfluentProtobufProvider implements RecordFormatProvider {

  @Override
  public String name() {
    return "protobuf-confluent";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return ProtobufProvider.create(plan, options, true);
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return ProtobufProvider.objects(options, true);
  }

  @Override
  public List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return ProtobufProvider.fields(options);
  }
}
