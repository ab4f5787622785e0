package dev.millrace.job.cli;

/** A run can't begin or go on; the message stands alone. */
final class RunFailedException extends RuntimeException {

  RunFailedException(String message) {
    super(message);
  }

  RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
