package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import java.io.Serializable;

/** Makes one field's features of its value. It may keep scratch space: one thread uses it. */
interface FieldStep extends Serializable {

  /** Leaves features 0 that are completed later. */
  FieldStep NONE = new None();

  /**
   * Writes the features.
   *
   * @param values of a record or of a sequence's step
   * @param field the value's index
   * @param features all 0 from {@code from} on, as many as the field has
   * @throws InvalidExampleException if the value is none of the field's kind
   */
  void read(FieldValues values, int field, float[] features, int from)
      throws InvalidExampleException;

  /** Writes nothing. */
  record None() implements FieldStep {
    @Override
    public void read(FieldValues values, int field, float[] features, int from) {}
  }
}
