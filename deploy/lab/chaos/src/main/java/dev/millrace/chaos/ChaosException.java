package dev.millrace.chaos;

/** A job didn't come through its faults; the message stands alone. */
public final class ChaosException extends RuntimeException {

  ChaosException(String message) {
    super(message);
  }
}
