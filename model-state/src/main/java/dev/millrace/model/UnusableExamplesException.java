package dev.millrace.model;

/**
 * A network can't compute with the values of examples, such as the number of a word that it doesn't
 * know; to try again is of no use.
 */
public final class UnusableExamplesException extends RuntimeException {

  public UnusableExamplesException(String message, Throwable cause) {
    super(message, cause);
  }
}
