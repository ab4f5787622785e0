package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import java.io.Serializable;

/**
 * Makes a JSON object of each record of a format, with all that the record holds. A {@link
 * RecordFormat} finds the same values in the object as in the record, but for arrays, maps and
 * bytes, which may be more there.
 *
 * <p>It may keep scratch space: one instance belongs to one thread.
 */
public interface RecordObjects extends Serializable {

  /**
   * Makes an object. One that the value is already is returned as it is, sound or not.
   *
   * @param value not empty
   * @return JSON in UTF-8
   * @throws InvalidExampleException if the value isn't of the format, or no object can be made of
   *     it
   * @throws dev.millrace.example.UnavailableException if its {@link #prerequisites} can't be had
   */
  byte[] json(byte[] value) throws InvalidExampleException;

  /** Returns what it needs before it can read a value; as {@link RecordFormat#prerequisites}. */
  default Prerequisites prerequisites() {
    return Prerequisites.NONE;
  }
}
