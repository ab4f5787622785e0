package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import java.io.Serializable;

/**
 * Where a described field's value lies among {@link FieldValues}.
 *
 * @param source for messages
 * @param ofStep whether it is a value of each step of a sequence; otherwise of the record
 * @param indices of the path and its aliases
 */
record PlannedField(FieldSource source, boolean ofStep, int[] indices) implements Serializable {

  /** The values that the field is among. */
  FieldValues among(FieldValues record, FieldValues stepOrNull) {
    return ofStep ? stepOrNull : record;
  }

  /**
   * The index of the value; that of the path, which is missing, where none is there.
   *
   * @throws InvalidExampleException if none is there, and the field is required
   */
  int find(FieldValues values) throws InvalidExampleException {
    for (int index : indices) {
      if (values.kind(index) != FieldValues.Kind.MISSING) {
        return index;
      }
    }
    if (source.required()) {
      throw missing();
    }
    return indices[0];
  }

  /** Returns the index of the value; a record without the value is rejected. */
  int require(FieldValues values) throws InvalidExampleException {
    int index = find(values);
    if (values.kind(index) == FieldValues.Kind.MISSING) {
      throw missing();
    }
    return index;
  }

  private InvalidExampleException missing() {
    return new InvalidExampleException("field \"%s\" is missing".formatted(source.name()));
  }
}
