package dev.millrace.model.device;

/**
 * An engine can't work in this process as it was started: a library is missing, or doesn't run on
 * this machine's devices. The message says what, and what to do; to try again is of no use.
 */
public final class UnusableEngineException extends RuntimeException {

  public UnusableEngineException(String message) {
    super(message);
  }

  public UnusableEngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
