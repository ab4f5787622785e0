package dev.millrace.exchange.log;

import java.util.BitSet;
import java.util.List;

/**
 * Does again what a replica did. A {@link LogPlayer} calls it, in the log's order. By itself it
 * does nothing.
 */
public interface LoggedDeeds {

  /** How a replica contributes. */
  enum Contributing {
    /** The blocks whose turn it is. */
    DUE,
    /** All blocks. */
    ALL,
    /** All blocks, and all that was left out before, since no contribution follows. */
    LAST
  }

  /** One minibatch, of these records in this order. */
  default void learn(List<RecordRun> records) {}

  /** Records that were rejected before they were learned. */
  default void reject(RecordRun records) {}

  /** Records that said nothing to learn from. */
  default void skip(RecordRun records) {}

  /** Records that were held out of training. */
  default void holdOut(RecordRun records) {}

  /** The head of a round came. */
  default void acceptHead(long round) {}

  /** Blocks came as they were after a round. */
  default void acceptBlocks(long round, BitSet blocks) {}

  /** A delay ended before its time. */
  default void endDelay() {}

  /** The input ended. */
  default void inputEnded() {}

  /** A checkpoint had what was learned looked at. */
  default void check() {}

  /** A contribution was made, or refused. */
  default void contribute(Contributing how) {}

  /** The replica of that number had done this before a restore, in the attempt before this one. */
  default void before(int replica, String log) {}

  /** The replica that follows gets back these parts of what a hook kept, in this order. */
  default void deal(String hook, List<PartRun> parts) {}

  /**
   * The replica is another one from here on, which went on from what these had saved, its own
   * number first if it is among them; empty where it began anew.
   */
  default void restored(List<Integer> replicas) {}
}
