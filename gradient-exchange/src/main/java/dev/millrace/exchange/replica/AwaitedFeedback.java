package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.Standing;

/**
 * What a replica has yet to hear of its newest contribution: which round of the global model
 * includes it, and then every block of that round or of a later one.
 *
 * <p>Belongs to one thread.
 */
final class AwaitedFeedback {

  private final GlobalRounds rounds;
  private Standing standing = Standing.NONE;
  private long sequence;

  /** Nothing is awaited at first; {@code rounds} says how far blocks have come. */
  AwaitedFeedback(GlobalRounds rounds) {
    this.rounds = rounds;
  }

  /** From now on this contribution is awaited, which is newer than any before. */
  void contributed(long newest) {
    sequence = newest;
  }

  /**
   * A head has come, with this.
   *
   * @return whether it is the first by which the awaited contribution is included
   */
  boolean accept(Standing newest) {
    boolean before = isIncluded();
    standing = newest;
    return !before && isIncluded();
  }

  private boolean isIncluded() {
    return standing.included() >= sequence;
  }

  /** Whether all have been heard of. */
  boolean isOver() {
    return isIncluded() && rounds.haveReached(standing.includedIn());
  }

  /** The contribution that is awaited, or the newest that was. */
  long sequence() {
    return sequence;
  }

  /** As the newest head had it. */
  Standing standing() {
    return standing;
  }

  /** Continues from what a replica of the same number had saved. */
  void restore(ReplicaState state) {
    sequence = state.awaited();
    standing = state.standing();
  }
}
