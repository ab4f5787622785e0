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

  /** The oldest of them, and how many blocks are at it: looking for it anew is seldom needed. */
  private long oldest;

  private int atOldest;

  private long newest;

  /** No block is known at first. */
  GlobalRounds(int blocks) {
    rounds = new long[blocks];
    forget();
  }

  /** Has every block asked for and taken in again. */
  void forget() {
    Arrays.fill(rounds, UNKNOWN);
    lookForOldest();
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
    boolean wasOldest = rounds[block] == oldest;
    rounds[block] = round;
    newest = Math.max(newest, round);
    if (wasOldest && --atOldest == 0) {
      lookForOldest();
    }
    return true;
  }

  /** Returns the round of a block; negative where it hasn't come. */
  long of(int block) {
    return rounds[block];
  }

  int count() {
    return rounds.length;
  }

  /** Whether every block has come. */
  boolean areComplete() {
    return oldest != UNKNOWN;
  }

  /** The newest round that is in every block; negative while there is a block without one. */
  long oldest() {
    return oldest;
  }

  /**
   * The newest round of which every block has come, where each round changes one of so many parts
   * of the model, in turn.
   */
  long newest(int parts) {
    return Math.min(newest, oldest + parts - 1);
  }

  /** Continues with blocks of these rounds; negative where one has yet to come. */
  void restore(long[] known) {
    System.arraycopy(known, 0, rounds, 0, rounds.length);
    lookForOldest();
  }

  private void lookForOldest() {
    oldest = Arrays.stream(rounds).min().orElseThrow();
    newest = Arrays.stream(rounds).max().orElseThrow();
    atOldest = (int) Arrays.stream(rounds).filter(round -> round == oldest).count();
  }
}
