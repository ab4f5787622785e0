package dev.millrace.protobuf;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import java.io.IOException;

/**
 * Reads one field of a message, as often as it comes. It may count: one message at a time is read
 * with it.
 */
interface FieldNode {

  /** A message begins. */
  default void begin(FieldValues into) {}

  /**
   * Reads a value behind its tag.
   *
   * @param tag whose field number is the node's
   * @throws InvalidExampleException if the wire type isn't one of the field's, among others
   */
  void read(ProtobufInput in, int tag, FieldValues into)
      throws IOException, InvalidExampleException;

  /** A message has ended without the field. */
  default void absent(FieldValues into) {}
}
