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
 * @param stepsFor how many examples long
 * @param publish whether the model of the round, as it is before these, is published
 * @param anchor whether replicas take the global model for their anchor
 * @param pause examples after a reaction in which further drifts are told, and cause none
 */
public record Reactions(
    double raise,
    long raiseFor,
    boolean resetUpdater,
    double shrink,
    double noise,
    double steps,
    long stepsFor,
    boolean publish,
    boolean anchor,
    long pause)
    implements Serializable {

  /** Drifts are told, and nothing is done. */
  public static final Reactions NONE = new Reactions(1, 0, false, 1, 0, 1, 0, false, false, 0);

  /** What is done to the global model; the numbers that it draws follow from the round. */
  Treatment treatment(long round) {
    return new Treatment(shrink, noise, resetUpdater, round);
  }
}
