package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import java.io.Serializable;

/**
 * How a record's value holds named fields: JSON, Avro, Protobuf. Formats of one's own are found by
 * {@link java.util.ServiceLoader}, see {@link RecordFormatProvider}.
 *
 * <p>A format may keep scratch space: one instance belongs to one thread.
 */
public interface RecordFormat extends Serializable {

  /**
   * Finds the values of the planned fields. A field that the record doesn't have stays missing.
   *
   * @param value not empty
   * @param into cleared
   * @throws InvalidExampleException if the value isn't of the format; the content is undefined then
   * @throws dev.millrace.example.UnavailableException if its {@link #prerequisites} can't be had
   */
  void read(byte[] value, FieldValues into) throws InvalidExampleException;

  /**
   * Returns what it needs before it can read a value. Of one instance it is always the same object,
   * which shares what it has fetched with {@link #read}.
   */
  default Prerequisites prerequisites() {
    return Prerequisites.NONE;
  }
}
