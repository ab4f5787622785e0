package dev.millrace.exchange.log;

/** A training log, or a part of it, that nothing can be made again from; says why. */
public final class UnusableLogException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnusableLogException(String message) {
    super(message);
  }

  public UnusableLogException(String message, Throwable cause) {
    super(message, cause);
  }
}
