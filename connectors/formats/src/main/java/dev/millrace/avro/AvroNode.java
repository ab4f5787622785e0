package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import java.io.IOException;

/** Reads what stands at one place of the writer's schema, or skips it. */
interface AvroNode {

  /**
   * Reads on behind it.
   *
   * @param into where the values go that are wanted; not used by what only skips
   * @throws IOException if the bytes end too early, or are no number
   * @throws InvalidExampleException if they are wrong otherwise
   */
  void read(AvroInput in, FieldValues into) throws IOException, InvalidExampleException;
}
