package dev.millrace.exchange.round;

import java.io.Serializable;

/**
 * What training does when a drift is found. Numbers of examples are those of the whole job.
 *
 * @param raise what learning rates are multiplied by; 1 for nothing
 * @param raiseFor how many examples long
 * @param resetUpdater whether updaters start anew
 * @param shrink what parameters are multiplied by; 1 for nothing
 * @param noise standard deviation of what is added to them then; 0 for nothing
 * @param steps what local steps between contributions are multiplied by; 1 for nothing
 * @param batch what the examples of a minibatch are multiplied by; 1 for nothing
 * @param shortFor how many examples long local steps and minibatches are fewer
 * @param publish whether the model of the round, as it is before these, is published
 * @param anchor whether replicas take the global model for their anchor
 * @param keep how many past models are kept, that of the newest drift among them; 0 for none
 * @param tryFor on how many examples past models are measured after a drift
 * @param pause examples after a reaction in which further drifts are told, and cause none
 */
public record Reactions(
    double raise,
    long raiseFor,
    boolean resetUpdater,
    double shrink,
    double noise,
    double steps,
    double batch,
    long shortFor,
    boolean publish,
    boolean anchor,
    int keep,
    long tryFor,
    long pause)
    implements Serializable {

  /** Drifts are told, and nothing is done. */
  public static final Reactions NONE =
      new Reactions(1, 0, false, 1, 0, 1, 1, 0, false, false, 0, 0, 0);

  /**
   * What is done to the global model; the numbers that it draws follow from the round.
   *
   * @param past number of the past model that is kept
   */
  Treatment treatment(long round, int past) {
    return new Treatment(
        shrink,
        noise,
        resetUpdater,
        round,
        keep == 0 ? PastOrder.NONE : PastOrder.keep(past, keep));
  }

  /** Whether anything is done. */
  boolean areSome() {
    return raise != 1
        || resetUpdater
        || shrink != 1
        || noise > 0
        || steps != 1
        || batch != 1
        || publish
        || anchor
        || keep > 0;
  }

  /** Whether there is anything that the first format of what is steered has no place for. */
  boolean hasMore() {
    return batch != 1 || keep > 0;
  }
}
