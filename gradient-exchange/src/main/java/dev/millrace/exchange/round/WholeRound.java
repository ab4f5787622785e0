package dev.millrace.exchange.round;

/** Says whose contributions a whole round has. */
public enum WholeRound {

  /**
   * A whole round has those of the replicas that train: not of those that are idle or have ended.
   */
  OF_THOSE_THAT_TRAIN,

  /**
   * A whole round has those of all replicas of the job. For learning rates that are meant for the
   * steps of all: the changes of a few must not count for all, whatever keeps the others away.
   */
  OF_ALL
}
