package dev.millrace.exchange.replica;

import java.util.Arrays;

/**
 * Which round of the global model each block's values come from, as far as they have come.
 *
 * <p>Not thread-safe.
 */
final class GlobalRounds {

  private static final long UNKNOWN = -1;

  private final long[] rounds;

  /** Blocks that no global values have come for yet. */
  private int unknown;

  /** No block is known at first. */
  GlobalRounds(int blocks) {
    rounds = new long[blocks];
    forget();
  }

  /** Has every block asked for and taken in again. */
  void forget() {
    Arrays.fill(rounds, UNKNOWN);
    unknown = rounds.length;
  }

  /**
   * A block has come.
   *
   * @return whether it is newer than what is known of it; if not, it is to be left alone
   */
  boolean advance(int block, long round) {
    if (round <= rounds[block]) {
      return false;
    }
    if (rounds[block] == UNKNOWN) {
      unknown--;
    }
    rounds[block] = round;
    return true;
  }

  /** Whether every block has come. */
  boolean areComplete() {
    return unknown == 0;
  }

  /** The newest round that is in every block; negative while there is a block without one. */
  long oldest() {
    long oldest = Long.MAX_VALUE;
    for (long round : rounds) {
      oldest = Math.min(oldest, round);
    }
    return oldest;
  }

  /** A copy, negative where a block hasn't come. */
  long[] save() {
    return rounds.clone();
  }

  /** Continues from what {@link #save} gave. */
  void restore(long[] saved) {
    System.arraycopy(saved, 0, rounds, 0, rounds.length);
    unknown = (int) Arrays.stream(rounds).filter(round -> round == UNKNOWN).count();
  }
}
