package dev.millrace.exchange.replica;

/**
 * How far a replica's parameters had moved from the global model when it contributed: the L2 norm
 * of their change, relative to that of the parameters they started from. Of a large model it is
 * estimated from parameters that are spread evenly over it, at least {@value #ENOUGH} of them:
 * summing all squares took longer than encoding all values. Updater state, which follows the
 * parameters in the vector, has another scale and is left out.
 *
 * <p>Allocates nothing. Not thread-safe.
 */
final class Divergence {

  static final int ENOUGH = 1 << 16;

  private final int parameters;
  private final int stride;
  private double change;
  private double base;
  private double value = Double.NaN;

  /** {@code parameters} are the first so many values of the vector. */
  Divergence(int parameters) {
    this.parameters = parameters;
    this.stride = Math.max(1, parameters / ENOUGH);
  }

  /** Forgets the blocks that have been added. */
  void begin() {
    change = 0;
    base = 0;
  }

  /**
   * Takes one block into account.
   *
   * @param values of the block
   * @param anchor of the block
   * @param offset of the block in the vector
   */
  void add(float[] values, float[] anchor, int offset, int size) {
    int end = Math.min(offset + size, parameters);
    int first = (offset + stride - 1) / stride * stride;
    for (int at = first; at < end; at += stride) {
      double from = anchor[at - offset];
      double moved = values[at - offset] - from;
      change += moved * moved;
      base += from * from;
    }
  }

  /**
   * Whether it is more than so much with the blocks that have been added. Never, where the
   * parameters were all 0: they can't be compared with.
   */
  boolean exceeds(double most) {
    return base > 0 && change > most * most * base;
  }

  /** Of the blocks that have been added; not finite where the parameters were all 0. */
  double current() {
    return Math.sqrt(change / base);
  }

  /** All blocks have been added: what they give is the value until the next contribution. */
  void complete() {
    value = current();
  }

  /** Of the newest contribution; NaN before the first. */
  double value() {
    return value;
  }
}
