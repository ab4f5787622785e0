package dev.millrace.serve;

import java.util.Objects;

/**
 * A request that isn't answered as it was meant. The message goes to the client: it says what,
 * where, the value, and what to do.
 */
public final class RefusedRequestException extends Exception {

  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * @param status of HTTP, 400 to 599
   */
  public RefusedRequestException(int status, String message) {
    // Clients make these in any number, and nobody looks at where they come from.
    super(message, null, false, false);
    Objects.requireNonNull(message, "message");
    this.status = status;
  }

  /** Refuses a request because of what the client has sent. */
  public static RefusedRequestException bad(String message) {
    return new RefusedRequestException(400, message);
  }

  /** Returns the status of HTTP. */
  public int status() {
    return status;
  }
}
