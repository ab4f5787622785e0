package dev.millrace.example;

/**
 * The bytes of a record are no example; the message says what was expected and what came. It has no
 * stack trace: a stream may hold many such records, and the reason is in the data.
 */
public class InvalidExampleException extends Exception {

  public InvalidExampleException(String reason) {
    super(reason, null, false, false);
  }
}
