package dev.millrace.exchange.log;

import java.util.BitSet;
import java.util.List;

/** Does again what a replica did. A {@link LogPlayer} calls it, in the log's order. */
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
  void learn(List<RecordRun> records);

  /** Records that were rejected before they were learned. */
  void reject(RecordRun records);

  /** Records that said nothing to learn from. */
  void skip(RecordRun records);

  /** Records that were held out of training. */
  void holdOut(RecordRun records);

  /** The head of a round came. */
  void acceptHead(long round);

  /** Blocks came as they were after a round. */
  void acceptBlocks(long round, BitSet blocks);

  /** A delay ended before its time. */
  void endDelay();

  /** The input ended. */
  void inputEnded();

  /** A checkpoint had what was learned looked at. */
  void check();

  /** A contribution was made, or refused. */
  void contribute(Contributing how);

  /** The replica of that number had done this before a restore, in the attempt before this one. */
  void before(int replica, String log);

  /**
   * The replica is another one from here on, which went on from what these had saved, its own
   * number first if it is among them; empty where it began anew.
   */
  void restored(List<Integer> replicas);
}
