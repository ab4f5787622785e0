package dev.millrace.snapshot;

import java.io.IOException;

/** A pointer names a snapshot that can't be used; the message says which, and why. */
public final class UnusableSnapshotException extends IOException {

  public UnusableSnapshotException(String message, Throwable cause) {
    super(message, cause);
  }
}
