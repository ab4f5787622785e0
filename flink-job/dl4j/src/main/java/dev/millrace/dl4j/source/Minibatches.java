package dev.millrace.dl4j.source;

import java.io.IOException;
import java.io.Serializable;

/**
 * Where the minibatches of an epoch come from. It travels with the job, and gives the same
 * minibatches in the same order in each epoch, or says why it can't.
 */
public interface Minibatches extends Serializable {

  /**
   * Opens a share where it was left.
   *
   * @param epochs how many passes there are
   */
  ShareQueue open(Share share, int epochs) throws IOException;
}
