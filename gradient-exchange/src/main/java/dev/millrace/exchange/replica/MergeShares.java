package dev.millrace.exchange.replica;

import java.util.Arrays;

/**
 * How much of two replicas' changes counts where one takes over the other's, block by block.
 *
 * @param theirs what the other's is multiplied by
 * @param addUp whether its own counts in full; otherwise both make a mean
 */
record MergeShares(float[] theirs, boolean addUp) {

  /** Everything counts. */
  static MergeShares sum(int blocks) {
    float[] theirs = new float[blocks];
    Arrays.fill(theirs, 1);
    return new MergeShares(theirs, true);
  }

  /** A mean by the weights of the examples that are behind the changes. */
  static MergeShares mean(int blocks, PendingContribution own, ReplicaState other) {
    float[] theirs = new float[blocks];
    for (int b = 0; b < blocks; b++) {
      double weight = other.weights().behind(b, other.metadata().weight());
      theirs[b] = weight > 0 ? (float) (weight / (own.weightBehind(b) + weight)) : 0;
    }
    return new MergeShares(theirs, false);
  }

  float theirs(int block) {
    return theirs[block];
  }

  float ours(int block) {
    return addUp ? 1 : 1 - theirs[block];
  }
}
