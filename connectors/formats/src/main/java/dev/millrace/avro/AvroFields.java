package dev.millrace.avro;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.SchemaField;
import dev.millrace.fields.SchemaField.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Lists the fields that a schema names, those of records in records among them. */
final class AvroFields {

  private static final int MOST = 10_000;

  /** Where Kafka Connect says what a number is. */
  private static final String CONNECT_NAME = "connect.name";

  private final List<SchemaField> fields = new ArrayList<>();
  private final Set<String> within = new HashSet<>();

  private AvroFields() {}

  static List<SchemaField> of(Schema schema) {
    AvroFields fields = new AvroFields();
    fields.add(schema, FieldPath.ROOT, false);
    return fields.fields;
  }

  private void add(Schema schema, FieldPath path, boolean nullable) {
    if (fields.size() >= MOST) {
      return;
    }
    switch (schema.getType()) {
      case UNION -> addUnion(schema, path, nullable);
      case RECORD -> addRecord(schema, path, nullable);
      case ENUM -> fields.add(new SchemaField(path, Kind.VALUE, schema.getEnumSymbols(), nullable));
      default -> fields.add(new SchemaField(path, kind(schema), nullable));
    }
  }

  private void addRecord(Schema schema, FieldPath path, boolean nullable) {
    // A record within itself has no end.
    if (!within.add(schema.getFullName())) {
      fields.add(new SchemaField(path, Kind.OTHER, nullable));
      return;
    }
    for (Schema.Field field : schema.getFields()) {
      add(field.schema(), path.then(field.name()), false);
    }
    within.remove(schema.getFullName());
  }

  private void addUnion(Schema union, FieldPath path, boolean nullable) {
    List<Schema> branches =
        union.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
    boolean mayBeNull = nullable || branches.size() < union.getTypes().size();
    if (branches.size() == 1) {
      add(branches.get(0), path, mayBeNull);
    } else {
      boolean values =
          branches.stream()
              .allMatch(
                  branch -> branch.getType() != Schema.Type.RECORD && kind(branch) != Kind.OTHER);
      fields.add(new SchemaField(path, values ? Kind.VALUE : Kind.OTHER, mayBeNull));
    }
  }

  private static Kind kind(Schema schema) {
    String logical = schema.getLogicalType() == null ? "" : schema.getLogicalType().getName();
    return switch (schema.getType()) {
      case INT -> logical.equals("date") ? Kind.MILLISECONDS : named(schema.getProp(CONNECT_NAME));
      case LONG ->
          logical.contains("timestamp") ? Kind.MILLISECONDS : named(schema.getProp(CONNECT_NAME));
      case BYTES, FIXED ->
          schema.getLogicalType() instanceof LogicalTypes.Decimal || logical.equals("uuid")
              ? Kind.VALUE
              : Kind.OTHER;
      case ARRAY, MAP, NULL -> Kind.OTHER;
      default -> Kind.VALUE;
    };
  }

  private static Kind named(String connectNameOrNull) {
    return switch (connectNameOrNull == null ? "" : connectNameOrNull) {
      case "io.debezium.time.Date" -> Kind.DAYS;
      case "io.debezium.time.Timestamp" -> Kind.MILLISECONDS;
      case "io.debezium.time.MicroTimestamp" -> Kind.MICROSECONDS;
      case "io.debezium.time.NanoTimestamp" -> Kind.NANOSECONDS;
      default -> Kind.VALUE;
    };
  }
}
