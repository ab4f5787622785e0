package dev.millrace.exchange.replica;

/**
 * How stale a contribution was when it came into the global model: rounds that were made between
 * the global model that its first local step started from, and the round that includes it.
 *
 * <p>It is 0 where a replica waits for the round of each contribution before it trains on, and more
 * where a round went on without the contribution. A replica that trains on meanwhile starts from a
 * model that lacks its own newest contribution, so it is mostly 1.
 *
 * <p>Not thread-safe.
 */
final class Staleness {

  /**
   * The staleness before the first contribution is included; also of what began before a restore.
   */
  static final long UNKNOWN = -1;

  private long start = UNKNOWN;
  private long startUnderWay = UNKNOWN;
  private long newest = UNKNOWN;

  /** The first local step of a contribution starts from {@code round} of the global model. */
  void starts(long round) {
    start = round;
  }

  void contributed() {
    startUnderWay = start;
  }

  /** The newest contribution is in {@code round}. */
  void included(long round) {
    if (startUnderWay != UNKNOWN) {
      newest = round - 1 - startUnderWay;
    }
  }

  /** Returns the staleness of the newest contribution included. */
  long newest() {
    return newest;
  }
}
