package dev.millrace.exchange.aggregate;

import java.io.Serializable;

/**
 * Applies the combined change of a round to a global block, with a state of its own if it has one.
 */
public interface ServerOptimizer extends Serializable {

  /** Floats of state for a block of {@code blockSize} values. */
  int stateSize(int blockSize);

  /**
   * Updates {@code values} and {@code state} in place.
   *
   * @param change the aggregated change; may be used as scratch space
   */
  void apply(float[] values, float[] change, float[] state);

  /** Adds the change, as plain averaging does. */
  static ServerOptimizer none() {
    return new PlainAddition();
  }
}
