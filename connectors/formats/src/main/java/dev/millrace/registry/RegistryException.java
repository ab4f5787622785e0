package dev.millrace.registry;

import java.io.IOException;
import java.util.Objects;

/** Something couldn't be got of a registry. The message is a line that says why and what to do. */
final class RegistryException extends IOException {

  /** What the failure says of the one thing that was asked for. */
  enum Kind {
    /** Nothing: whoever asks has to log in, or to wait. */
    LATER,
    /** The registry has looked at it, and doesn't give it. */
    REFUSED,
    /** Maybe nothing: there is no answer, or one that is none. */
    FAILED
  }

  private final Kind kind;
  private final String reason;

  /**
   * @param reason for a record's dead letter, of which {@code it} is the schema
   */
  RegistryException(Kind kind, String message, String reason) {
    super(message);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  Kind kind() {
    return kind;
  }

  String reason() {
    return reason;
  }
}
