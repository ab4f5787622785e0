package dev.millrace.exchange.rows;

import java.util.Arrays;

/**
 * What a coordinator does under {@code sync}, and what checkpoints keep of it and of the replicas'
 * rounds: each replica makes some steps, contributes, and waits until all have.
 */
final class SimulatedRounds {

  private final int[] localSteps;

  /** Contributions of each replica; {@link RowRound#ENDED} of one that has ended. */
  private long[] contributed;

  /** Steps of each replica since its last contribution. */
  private int[] steps;

  private long[] savedContributed;
  private int[] savedSteps;
  private long[] openContributed;
  private int[] openSteps;

  /** Replicas whose barrier has come, while others' hasn't. */
  private boolean[] blocked;

  /**
   * @param localSteps of each replica between two contributions
   */
  SimulatedRounds(int... localSteps) {
    this.localSteps = localSteps.clone();
    this.savedContributed = new long[localSteps.length];
    this.savedSteps = new int[localSteps.length];
    restore();
  }

  int replicas() {
    return localSteps.length;
  }

  /** Returns the newest round: all replicas that haven't ended have contributed to it. */
  long round() {
    long round = Long.MAX_VALUE;
    for (int i = 0; i < contributed.length; i++) {
      // What comes behind a barrier waits for the others' barriers.
      round = Math.min(round, blocked[i] ? openContributed[i] : contributed[i]);
    }
    return round;
  }

  boolean isReleased(int replica, long known) {
    return contributed[replica] <= known;
  }

  void stepped(int replica) {
    steps[replica]++;
    if (steps[replica] == localSteps[replica]) {
      steps[replica] = 0;
      contributed[replica]++;
    }
  }

  void end(int replica) {
    contributed[replica] = RowRound.ENDED;
  }

  void barrier(int replica) {
    blocked[replica] = true;
    openContributed[replica] = contributed[replica];
    openSteps[replica] = steps[replica];
    for (boolean one : blocked) {
      if (!one) {
        return;
      }
    }
    Arrays.fill(blocked, false);
  }

  /** The checkpoint is complete. */
  void saved() {
    savedContributed = openContributed.clone();
    savedSteps = openSteps.clone();
  }

  /** Goes on from the last checkpoint. A replica that had ended says so again. */
  void restore() {
    contributed = savedContributed.clone();
    steps = savedSteps.clone();
    openContributed = new long[contributed.length];
    openSteps = new int[steps.length];
    blocked = new boolean[contributed.length];
  }
}
