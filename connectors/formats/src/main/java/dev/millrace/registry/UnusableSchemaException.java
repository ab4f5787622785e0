package dev.millrace.registry;

/** The registry was asked, and no record with this schema can be read. The message says why. */
public final class UnusableSchemaException extends Exception {

  public UnusableSchemaException(String reason) {
    super(reason);
  }
}
