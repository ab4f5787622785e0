package dev.millrace.cli.audit;

/** What an audit finds of a partition. */
public enum Finding {
  /** Every record between the first and the last was taken exactly once. */
  COMPLETE("complete"),
  /** Records were never taken, or taken more than once. */
  WRONG("WRONG"),
  /** The topic doesn't hold all of the records any more, so nothing can be said. */
  UNKNOWN("undecidable");

  private final String text;

  Finding(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
