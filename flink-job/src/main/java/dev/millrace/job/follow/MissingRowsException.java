package dev.millrace.job.follow;

import dev.millrace.model.io.InvalidModelException;

/** A model can't be used yet: its rows aren't there, or can't be had now. They may come. */
public final class MissingRowsException extends InvalidModelException {

  private static final long serialVersionUID = 1;

  public MissingRowsException(String message) {
    super(message);
  }

  MissingRowsException(String message, Throwable cause) {
    super(message, cause);
  }
}
