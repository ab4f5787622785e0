package dev.millrace.exchange.drift;

import java.io.Serializable;

/**
 * What training does when a drift is found, beside keeping an older model where replicas have one.
 * Numbers of examples are those of the whole job.
 *
 * @param steps what local steps between contributions are multiplied by; 1 for nothing
 * @param batch what the examples of a minibatch are multiplied by; 1 for nothing
 * @param shortFor how many examples long local steps and minibatches are fewer
 * @param publish whether the model of the round is published
 * @param pause examples after a reaction in which further drifts are told, and cause none
 */
public record Reactions(double steps, double batch, long shortFor, boolean publish, long pause)
    implements Serializable {

  /** Drifts are told, and nothing is done. */
  public static final Reactions NONE = new Reactions(1, 1, 0, false, 0);
}
