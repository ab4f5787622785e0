package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.util.Set;
import org.apache.avro.Schema;

/** Reads the records of one writer's schema. */
final class AvroReader {

  private final AvroPlan plan;

  AvroReader(Schema writer, FieldPlan wanted) {
    this.plan = new AvroPlan(writer, wanted);
  }

  /** The wanted paths that the schema hasn't: they are missing in each record. */
  Set<String> missing() {
    return plan.missing();
  }

  /**
   * Reads a record.
   *
   * @param from where it begins in the value
   * @throws InvalidExampleException if the bytes aren't exactly one record of the schema
   */
  void read(byte[] value, int from, AvroInput in, FieldValues into) throws InvalidExampleException {
    in.readWhole(value, from, () -> plan.root().read(in, into));
  }
}
