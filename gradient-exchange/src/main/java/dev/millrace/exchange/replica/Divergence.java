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
    int end = Math.min(offset + size, parameters) - offset;
    int at = (offset + stride - 1) / stride * stride - offset;
    // Four sums at once: each addition waits for the one before it in the same sum alone.
    double change0 = 0;
    double change1 = 0;
    double change2 = 0;
    double change3 = 0;
    double base0 = 0;
    double base1 = 0;
    double base2 = 0;
    double base3 = 0;
    for (; at + 3L * stride < end; at += 4 * stride) {
      int second = at + stride;
      int third = second + stride;
      int fourth = third + stride;
      change0 += square(values[at], anchor[at]);
      change1 += square(values[second], anchor[second]);
      change2 += square(values[third], anchor[third]);
      change3 += square(values[fourth], anchor[fourth]);
      base0 += square(anchor[at], 0);
      base1 += square(anchor[second], 0);
      base2 += square(anchor[third], 0);
      base3 += square(anchor[fourth], 0);
    }
    for (; at < end; at += stride) {
      change0 += square(values[at], anchor[at]);
      base0 += square(anchor[at], 0);
    }
    change += change0 + change1 + change2 + change3;
    base += base0 + base1 + base2 + base3;
  }

  private static double square(float value, float from) {
    double moved = (double) value - from;
    return moved * moved;
  }

  /**
   * Whether it is more than so much with the blocks that have been added. Never, where the
   * parameters were all 0: they can't be compared with.
   */
  boolean exceeds(double most) {
    return base > 0 && change > most * most * base;
  }

  /**
   * Returns that of the blocks that have been added; not finite where the parameters were all 0.
   */
  private double current() {
    return Math.sqrt(change / base);
  }

  /** All blocks have been added: what they give is the value until the next contribution. */
  void complete() {
    value = current();
  }

  /** Returns the divergence of the newest contribution; NaN before the first. */
  double value() {
    return value;
  }
}
