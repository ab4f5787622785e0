package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Fragment;
import java.util.List;

/**
 * What a replica has yet to hear of its newest contribution: which round of the global model
 * includes it, and then, of that round or of a later one, every block that it covers. Blocks that
 * the round changed beside these are awaited, too, where the head says which: so what a replica
 * that waits trains on doesn't depend on how fast they come.
 *
 * <p>Belongs to one thread.
 */
final class AwaitedFeedback {

  private final GlobalRounds rounds;
  private Standing standing = Standing.NONE;
  private long sequence;
  private Fragment covered = Fragment.WHOLE;
  private List<Fragment> changed = List.of();

  /** All blocks before this one are heard of: they are looked at once for each head. */
  private int heardOf;

  /** Nothing is awaited at first; {@code rounds} says how far blocks have come. */
  AwaitedFeedback(GlobalRounds rounds) {
    this.rounds = rounds;
  }

  /** Awaits this contribution from now on, which is newer than any before. */
  void contributed(long newest, Fragment blocks) {
    sequence = newest;
    covered = blocks;
    changed = List.of();
    heardOf = 0;
  }

  /**
   * A head has come, with this.
   *
   * @param alsoChanged blocks that the standing's round changed, as far as is known
   * @return whether it is the first by which the awaited contribution is included
   */
  boolean accept(Standing newest, List<Fragment> alsoChanged) {
    boolean before = isIncluded();
    standing = newest;
    changed = alsoChanged;
    heardOf = 0;
    return !before && isIncluded();
  }

  private boolean isIncluded() {
    return standing.included() >= sequence;
  }

  /** Whether all have been heard of; of no contribution, when each block has come. */
  boolean isOver() {
    return isIncluded() && (sequence == 0 ? rounds.areComplete() : haveCome());
  }

  private boolean haveCome() {
    while (heardOf < rounds.count()
        && (!isAwaited(heardOf) || rounds.of(heardOf) >= standing.includedIn())) {
      heardOf++;
    }
    return heardOf == rounds.count();
  }

  private boolean isAwaited(int block) {
    return covered.covers(block) || changed.stream().anyMatch(part -> part.covers(block));
  }

  /** The contribution that is awaited, or the newest that was. */
  long sequence() {
    return sequence;
  }

  /** The blocks of that contribution. */
  Fragment covered() {
    return covered;
  }

  /** Returns the replica's standing as the newest head had it. */
  Standing standing() {
    return standing;
  }

  /** Continues from what a replica of the same number had saved. */
  void restore(ReplicaState state) {
    contributed(state.awaited(), state.covered());
    standing = state.standing();
  }
}
