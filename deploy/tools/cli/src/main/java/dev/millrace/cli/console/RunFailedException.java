package dev.millrace.cli.console;

/** A run can't begin or go on; the message stands alone. */
public final class RunFailedException extends RuntimeException {

  public RunFailedException(String message) {
    super(message);
  }

  public RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
