package dev.millrace.example;

import java.io.Serializable;

/**
 * How an example is written in a record's value.
 *
 * <p>A format may keep scratch space: one instance belongs to one thread.
 */
public interface ExampleFormat extends Serializable {

  /**
   * Fills features, labels, and what else the value has, into a {@linkplain Example#reset reset}
   * example.
   *
   * @param value not empty
   * @throws InvalidExampleException if the value is not a valid example of the shape; the example's
   *     content is undefined then
   */
  void read(byte[] value, Example into) throws InvalidExampleException;

  /** The example as a record's value, such that {@link #read} gives it back. */
  byte[] write(Example example);
}
