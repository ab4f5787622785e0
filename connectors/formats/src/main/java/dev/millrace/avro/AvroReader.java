package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.io.EOFException;
import java.io.IOException;
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
    in.begin(value, from);
    try {
      plan.root().read(in, into);
      in.requireEnd();
    } catch (InvalidExampleException e) {
      throw notAvro(in, e.getMessage());
    } catch (EOFException e) {
      throw notAvro(in, "it ends within the record");
    } catch (IOException | RuntimeException e) {
      throw notAvro(in, "a value expected that the schema has there, other bytes found");
    }
  }

  private static InvalidExampleException notAvro(AvroInput in, String reason) {
    return new InvalidExampleException(
        "not Avro of the writer's schema at byte %s: %s".formatted(in.bytesRead(), reason));
  }
}
