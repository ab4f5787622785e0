package dev.millrace.exchange.aggregate;

import java.io.Serializable;

/**
 * Moves the global parameters by the combined change of a round, which it takes for a step in the
 * direction of descent (Reddi et al. 2021, adaptive federated optimization). Updater state is never
 * moved by one.
 */
public interface ServerOptimizer extends Serializable {

  /** Returns the shape of what it keeps between rounds. */
  StateShape stateShape();

  /**
   * Updates the first {@code length} of {@code values}, and {@code state}, in place.
   *
   * @param change the aggregated change; may be used as scratch space
   * @param size of the round, above 0, at most 1: how much of a step to make. Rounds of a size of a
   *     half each keep and add as much as one whole round
   * @param state as {@link #stateShape} lays it out for that length, all 0 at first
   */
  void apply(float[] values, float[] change, int length, double size, float[] state);

  /** Adds the change times {@code rate}; at 1, as plain averaging does. */
  static ServerOptimizer none(double rate) {
    return new PlainStep((float) rate);
  }

  /**
   * Nesterov's momentum over rounds, as DiLoCo has it (Douillard et al. 2023): {@code v := momentum
   * v + change; values += rate (change + momentum v)}.
   */
  static ServerOptimizer nesterov(double rate, double momentum) {
    return new NesterovStep((float) rate, (float) momentum);
  }

  /**
   * Adam over rounds (FedAdam, Reddi et al. 2021), with Kingma and Ba's correction of the first
   * rounds' bias.
   *
   * @param rate the size of a step where all changes of a value agree
   * @param epsilon changes far smaller than it hardly move anything
   */
  static ServerOptimizer adam(double rate, double beta1, double beta2, double epsilon) {
    return new AdamStep(rate, beta1, beta2, epsilon);
  }
}
