package dev.millrace.model.io;

/** A model gives another number of outputs than the examples have. */
public final class OtherOutputsException extends InvalidModelException {

  public OtherOutputsException(String message) {
    super(message);
  }
}
