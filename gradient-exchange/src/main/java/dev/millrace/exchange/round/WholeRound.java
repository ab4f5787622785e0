package dev.millrace.exchange.round;

import java.io.Serializable;

/**
 * Says whose contributions a whole round has: those of the replicas that train, and of those that
 * are idle or have ended as many as make it up to a number of replicas.
 *
 * @param replicas that number
 */
public record WholeRound(int replicas) implements Serializable {

  /** A whole round has the contributions of those that train. */
  public static final WholeRound OF_THOSE_THAT_TRAIN = new WholeRound(0);

  /**
   * A whole round has the contributions of all replicas of the job. For learning rates that are
   * meant for the steps of all: the changes of a few must not count for all, whatever keeps the
   * others away.
   */
  public static final WholeRound OF_ALL = new WholeRound(Integer.MAX_VALUE);

  /** Returns how many of the replicas that are away belong to a round of those that train. */
  int missing(int training, int away) {
    return Math.min(away, Math.max(0, replicas - training));
  }
}
