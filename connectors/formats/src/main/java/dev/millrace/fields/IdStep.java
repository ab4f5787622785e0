package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.IdLists;
import java.io.Serializable;

/** Makes the ids of one field of its value. It may keep scratch space: one thread uses it. */
interface IdStep extends Serializable {

  /**
   * Adds the ids to the list that is open, and leaves it open.
   *
   * @param values of a record
   * @param field the value's index
   * @throws InvalidExampleException if the value is none of the field's kind
   */
  void read(FieldValues values, int field, IdLists into) throws InvalidExampleException;
}
