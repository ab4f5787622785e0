package dev.millrace.model.io;

/** A model can't be used as asked; the message says which, why, and what to do. */
public class InvalidModelException extends RuntimeException {

  public InvalidModelException(String message) {
    super(message);
  }

  public InvalidModelException(String message, Throwable cause) {
    super(message, cause);
  }
}
