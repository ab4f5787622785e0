package dev.millrace.exchange.replica;

import java.util.Arrays;

/**
 * What a replica has yet to hear of its newest contribution: that each block of the global model
 * includes it, and the head of the model too.
 *
 * <p>Belongs to one thread.
 */
final class AwaitedFeedback {

  /** Per block, this replica's newest contribution that the global block includes. */
  private final long[] included;

  /** Blocks that don't include the awaited contribution yet. */
  private int blocksLeft;

  private long headIncluded;
  private long sequence;

  /** Nothing is awaited at first. */
  AwaitedFeedback(int blocks) {
    included = new long[blocks];
  }

  /** From now on this contribution is awaited, which is newer than any before. */
  void contributed(long newest) {
    sequence = newest;
    blocksLeft = included.length;
  }

  /** A block has come that includes the replica's contributions up to {@code newest}. */
  void block(int block, long newest) {
    long before = included[block];
    included[block] = Math.max(before, newest);
    if (before < sequence && included[block] >= sequence && blocksLeft > 0) {
      blocksLeft--;
    }
  }

  /**
   * A head has come that includes the replica's contributions up to {@code newest}.
   *
   * @return whether it is the first that includes the awaited one
   */
  boolean head(long newest) {
    long before = headIncluded;
    headIncluded = Math.max(before, newest);
    return before < sequence && headIncluded >= sequence;
  }

  /** Whether all have been heard of. */
  boolean isOver() {
    return blocksLeft == 0 && headIncluded >= sequence;
  }

  /** The contribution that is awaited, or the newest that was. */
  long sequence() {
    return sequence;
  }

  /** Per block, live. */
  long[] included() {
    return included;
  }

  long headIncluded() {
    return headIncluded;
  }

  /** Goes on from what a replica of the same number had saved. */
  void restore(ReplicaState state) {
    sequence = state.awaited();
    headIncluded = state.headIncluded();
    System.arraycopy(state.included(), 0, included, 0, included.length);
    blocksLeft = (int) Arrays.stream(included).filter(newest -> newest < sequence).count();
  }
}
