package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.model.shape.ExampleShape;
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
  default long count() {
    return UNKNOWN;
  }

  /**
   * Fills the next example.
   *
   * @return false at the end
   * @throws InvalidRowException if it is no valid example; the call after this one reads the next
   * @throws IOException if it can't be read; the message names file, line and value
   */
  boolean next(Example into) throws IOException;

  /**
   * Passes over the next example, which may take less time than to read it, and doesn't tell
   * whether it is valid.
   *
   * @param scratch may be changed
   * @return false at the end
   */
  default boolean skip(Example scratch) throws IOException {
    try {
      return next(scratch);
    } catch (InvalidRowException e) {
      return true;
    }
  }

  @Override
  void close() throws IOException;
}
