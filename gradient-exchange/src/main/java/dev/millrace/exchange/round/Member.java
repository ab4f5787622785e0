package dev.millrace.exchange.round;

import dev.millrace.exchange.schedule.Fragment;
import java.io.Serializable;

/**
 * One contribution that a round is made of.
 *
 * @param replica number of the replica that sent it
 * @param sequence which of its contributions, counted from 1
 * @param fragment the blocks that it covers
 * @param weight sum of the weights of the examples behind it; where it covers fragments of
 *     different weights, their mean
 * @param usual weight of the replica's contributions
 */
public record Member(int replica, long sequence, Fragment fragment, double weight, double usual)
    implements Serializable {

  /** A contribution to all blocks, of the usual weight. */
  public Member(int replica, long sequence, double weight) {
    this(replica, sequence, Fragment.WHOLE, weight, weight);
  }
}
