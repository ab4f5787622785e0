package dev.millrace.exchange.replica;

import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;

/**
 * Which blocks a replica contributes next. That goes by the round that it knows. So all replicas
 * that contribute to one round contribute the same blocks, and who comes late, is new or is
 * restored is in step with the others.
 *
 * <p>A replica that misses the same turn again and again would never contribute these blocks. So a
 * fragment that it has passed by too often comes first.
 */
final class FragmentTurns {

  /** Turns that a fragment may miss, less one. */
  private static final int PATIENCE = 2;

  private final Schedule schedule;

  /**
   * Turns over the blocks of a layout.
   *
   * @throws IllegalArgumentException if the schedule has more fragments than there are blocks, or
   *     several and blocks of updater state: a value's two moments would be of different rounds
   */
  FragmentTurns(Schedule schedule, BlockLayout layout) {
    int count = schedule.fragments();
    if (count > layout.count() || (count > 1 && layout.hasUpdaterState())) {
      throw new IllegalArgumentException(
          "%s blocks %s updater state can't be exchanged in %s fragments"
              .formatted(layout.count(), layout.hasUpdaterState() ? "with" : "without", count));
    }
    this.schedule = schedule;
  }

  /**
   * The blocks of the next contribution.
   *
   * @param round that the replica knows
   * @param weights which say how often each block was passed by
   */
  Fragment next(long round, BlockWeights weights) {
    Fragment turn = schedule.fragment(round);
    int next = turn.number();
    for (int other = 0; other < turn.count(); other++) {
      int passed = weights.passed(other);
      if (passed >= PATIENCE * turn.count() && passed > weights.passed(next)) {
        next = other;
      }
    }
    return new Fragment(next, turn.count());
  }
}
