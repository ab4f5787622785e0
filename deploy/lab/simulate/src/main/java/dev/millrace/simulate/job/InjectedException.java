package dev.millrace.simulate.job;

import java.io.IOException;

/** A failure on purpose. */
public final class InjectedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** One at that place. */
  public InjectedException(String place) {
    super("On purpose: " + place);
  }

  /** Makes one for where a store or a broker would answer. */
  static IOException io(String place) {
    return new IOException("On purpose: " + place, new InjectedException(place));
  }

  /** Whether a failure follows from one on purpose. */
  static boolean causes(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InjectedException) {
        return true;
      }
    }
    return false;
  }
}
