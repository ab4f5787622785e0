package dev.millrace.example;

/** Fills examples of something that it has at hand. */
@FunctionalInterface
public interface ExampleReader {

  /**
   * Fills one.
   *
   * @param into a {@linkplain Example#reset reset} example
   * @throws InvalidExampleException if it can't be one; its content is undefined then
   */
  void read(Example into) throws InvalidExampleException;
}
