package dev.millrace.exchange.replay;

/** A count dealt out to rows, so that the parts add up to it. */
final class Shares {

  private Shares() {}

  /**
   * Returns what those from {@code from} to before {@code to} have of {@code count}, of so many in
   * all.
   */
  static long of(long count, int from, int to, int all) {
    return upTo(count, to, all) - upTo(count, from, all);
  }

  /** Returns the share without a product that might be too great. */
  private static long upTo(long count, int row, int all) {
    return count / all * row + count % all * row / all;
  }
}
