package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Fragment;
import java.util.List;

/**
 * Which contributions a replica has made, and which of them are in the global model as it knows it.
 *
 * <p>Belongs to one thread.
 */
final class OwnContributions {

  private final AwaitedFeedback awaited;
  private final Staleness staleness = new Staleness();
  private long sequence;

  /** Whether it has yet to learn from a head what its number contributed before. */
  private boolean newcomer = true;

  /**
   * None has been made yet; {@code rounds} says how far the blocks of the global model have come.
   */
  OwnContributions(GlobalRounds rounds) {
    this.awaited = new AwaitedFeedback(rounds);
  }

  /** The first local step of the next one starts from {@code round} of the global model. */
  void begin(long round) {
    staleness.starts(round);
  }

  /** The sequence of the next one. */
  long next() {
    return sequence + 1;
  }

  /** The next one has been made, of these blocks, and is awaited from now on. */
  void contributed(Fragment blocks) {
    sequence++;
    awaited.contributed(sequence, blocks);
    staleness.contributed();
  }

  /**
   * A head has come, with this.
   *
   * @param changed blocks that the standing's round changed, as far as is known
   * @return whether it is the first of a newcomer, whose number may have contributed before
   */
  boolean accept(Standing standing, List<Fragment> changed) {
    boolean first = newcomer;
    if (first) {
      newcomer = false;
      sequence = standing.announced();
    }
    if (awaited.accept(standing, changed)) {
      staleness.included(standing.includedIn());
    }
    return first;
  }

  /** Whether all are in the global model, head and blocks, as this replica knows it. */
  boolean areIncluded() {
    return awaited.isOver();
  }

  /** The sequence of the newest one; 0 before the first. */
  long newest() {
    return sequence;
  }

  boolean isNewcomer() {
    return newcomer;
  }

  /** Returns what has yet to be heard of the newest one. */
  AwaitedFeedback awaited() {
    return awaited;
  }

  /** See {@link Staleness}: of the newest one included. */
  long staleness() {
    return staleness.newest();
  }

  /** Continues from what a replica of the same number had saved. */
  void restore(ReplicaState state) {
    newcomer = state.newcomer();
    sequence = state.sequence();
    awaited.restore(state);
  }
}
