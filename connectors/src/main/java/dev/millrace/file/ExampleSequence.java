package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.model.ExampleShape;
import java.io.IOException;

/**
 * Examples one after the other, from a file or a generator.
 *
 * <p>Not thread-safe.
 */
public interface ExampleSequence extends AutoCloseable {

  /** How many examples a sequence has whose length isn't known before its end. */
  long UNKNOWN = -1;

  ExampleShape shape();

  /** Examples in all, or {@link #UNKNOWN}. */
  long count();

  /**
   * Fills the next example.
   *
   * @return false at the end
   * @throws IOException if it can't be read; the message names file, line and value
   */
  boolean next(Example into) throws IOException;

  @Override
  void close() throws IOException;
}
