package dev.millrace.dl4j.source;

import java.util.ArrayList;
import java.util.List;

/** Which minibatches came in which order, by a fingerprint of each. Not thread-safe. */
final class SeenOrder {

  private final List<List<Integer>> epochs = new ArrayList<>();

  /**
   * Keeps what came, or compares with what came there before.
   *
   * @return whether it is the same, or the first to come there
   */
  boolean agrees(int epoch, long minibatch, int fingerprint) {
    while (epochs.size() <= epoch) {
      epochs.add(new ArrayList<>());
    }
    List<Integer> seen = epochs.get(epoch);
    if (minibatch < seen.size()) {
      return seen.get((int) minibatch) == fingerprint;
    }
    seen.add(fingerprint);
    return true;
  }
}
