package dev.millrace.snapshot;

import java.io.IOException;

/** A model isn't written because of what is there already; nothing is wrong with the place. */
public final class RefusedModelException extends IOException {

  private static final long serialVersionUID = 1;

  RefusedModelException(String message) {
    super(message);
  }
}
