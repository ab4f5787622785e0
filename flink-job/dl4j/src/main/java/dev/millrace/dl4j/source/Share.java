package dev.millrace.dl4j.source;

import java.io.Serializable;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * How far a share of the minibatches is: of {@code shares} shares each takes every so manieth
 * minibatch of an epoch.
 *
 * @param number of the share, from 0
 * @param shares how many there are
 * @param epoch the pass over the data that it is in, from 0
 * @param minibatch the next one's number in the epoch, among those of all shares
 * @param row the next example's number in it
 * @param examples that the share has had in this epoch
 */
record Share(int number, int shares, int epoch, long minibatch, int row, long examples)
    implements SourceSplit, Serializable {

  /** The beginning of a share. */
  static Share first(int number, int shares) {
    return new Share(number, shares, 0, number, 0, 0);
  }

  /**
   * Returns a share's first minibatch of an epoch. Shares take turns at being the first, so that
   * over epochs none has many more than another, whatever the number of minibatches.
   */
  static long firstOf(int epoch, int number, int shares) {
    return Math.floorMod(number - epoch, shares);
  }

  @Override
  public String splitId() {
    return "share-%s-of-%s".formatted(number, shares);
  }
}
