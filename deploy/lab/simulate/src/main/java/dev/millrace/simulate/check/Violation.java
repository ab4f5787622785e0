package dev.millrace.simulate.check;

/** An invariant doesn't hold. */
public final class Violation extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String invariant;

  /** Says which, and what was found. */
  public Violation(String invariant, String message) {
    super(invariant + ": " + message);
    this.invariant = invariant;
  }

  /** Says which, and what follows from what. */
  public Violation(String invariant, String message, Throwable cause) {
    super(invariant + ": " + message, cause);
    this.invariant = invariant;
  }

  /** Returns the name of the invariant. */
  public String invariant() {
    return invariant;
  }
}
