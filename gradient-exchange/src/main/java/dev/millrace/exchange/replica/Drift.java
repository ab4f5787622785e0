package dev.millrace.exchange.replica;

/**
 * How far a replica's parameters had moved from the global model when it contributed: the L2 norm
 * of their change, relative to that of the parameters they started from. Updater state, which
 * follows the parameters in the vector, has another scale and is left out.
 *
 * <p>Allocates nothing. Not thread-safe.
 */
final class Drift {

  private final int parameters;
  private double change;
  private double base;
  private double value = Double.NaN;

  /** {@code parameters} are the first so many values of the vector. */
  Drift(int parameters) {
    this.parameters = parameters;
  }

  /**
   * Takes one block into account.
   *
   * @param values of the block, from index 0
   * @param anchor of the whole vector, where the block begins at {@code offset}
   */
  void add(float[] values, float[] anchor, int offset, int size) {
    int length = Math.min(size, parameters - offset);
    // A sum is a chain of additions that wait for each other: two chains each, and they overlap.
    double change0 = 0;
    double change1 = 0;
    double base0 = 0;
    double base1 = 0;
    int i = 0;
    for (; i < length - 1; i += 2) {
      float from0 = anchor[offset + i];
      float from1 = anchor[offset + i + 1];
      float moved0 = values[i] - from0;
      float moved1 = values[i + 1] - from1;
      change0 += (double) moved0 * moved0;
      change1 += (double) moved1 * moved1;
      base0 += (double) from0 * from0;
      base1 += (double) from1 * from1;
    }
    if (i < length) {
      float from = anchor[offset + i];
      float moved = values[i] - from;
      change0 += (double) moved * moved;
      base0 += (double) from * from;
    }
    change += change0 + change1;
    base += base0 + base1;
  }

  /** All blocks have been added: what they give is the value until the next contribution. */
  void complete() {
    value = Math.sqrt(change / base);
    change = 0;
    base = 0;
  }

  /** Of the newest contribution; NaN before the first. */
  double value() {
    return value;
  }
}
