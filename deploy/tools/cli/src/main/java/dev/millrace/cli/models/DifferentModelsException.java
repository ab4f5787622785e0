package dev.millrace.cli.models;

/** Two models can't be compared; the message names what differs. */
public final class DifferentModelsException extends RuntimeException {

  DifferentModelsException(String message) {
    super(message);
  }
}
