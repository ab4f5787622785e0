package dev.millrace.example;

/**
 * What a format needs for a value can't be had now. It says nothing of the value, which must not be
 * rejected for it.
 */
public final class UnavailableException extends RuntimeException {

  public UnavailableException(String message) {
    super(message);
  }
}
