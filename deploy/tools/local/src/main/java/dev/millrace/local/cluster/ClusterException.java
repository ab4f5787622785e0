package dev.millrace.local.cluster;

/** A cluster can't be started or reached; the message says what to do. */
public final class ClusterException extends RuntimeException {

  ClusterException(String message) {
    super(message);
  }

  ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
