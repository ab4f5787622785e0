package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import java.util.Objects;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The format {@code avro}: a value is a record of one schema, without a header. */
final class AvroFormat implements RecordFormat {

  private static final Logger LOG = LoggerFactory.getLogger(AvroFormat.class);

  private final String schema;
  private final FieldPlan plan;

  private transient AvroReader reader;
  private transient AvroInput in;

  /**
   * Makes a format.
   *
   * @param schema of all records, as JSON
   * @throws IllegalArgumentException if it is no schema of records
   */
  AvroFormat(String schema, FieldPlan plan) {
    this.schema = Objects.requireNonNull(schema, "schema");
    this.plan = Objects.requireNonNull(plan, "plan");
    Schema parsed = AvroSchemas.of(schema);
    if (parsed.getType() != Schema.Type.RECORD && parsed.getType() != Schema.Type.UNION) {
      throw new IllegalArgumentException(
          "a schema of records expected, one of type %s found"
              .formatted(parsed.getType().getName()));
    }
    new AvroReader(parsed, plan);
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    if (reader == null) {
      reader = new AvroReader(AvroSchemas.of(schema), plan);
      in = new AvroInput();
      if (!reader.missing().isEmpty()) {
        LOG.warn(
            "The Avro schema has no {}: missing in every record",
            String.join(", ", reader.missing()));
      }
    }
    reader.read(value, 0, in, into);
  }
}
