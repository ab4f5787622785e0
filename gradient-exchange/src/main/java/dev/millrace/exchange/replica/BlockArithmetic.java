package dev.millrace.exchange.replica;

/**
 * Loops over all values of a block. Each is a method of its own, and static: the compiler makes
 * vectors of them sooner.
 */
final class BlockArithmetic {

  private BlockArithmetic() {}

  /** Turns values into their change. */
  static void subtract(float[] values, float[] anchor, int size) {
    for (int i = 0; i < size; i++) {
      values[i] -= anchor[i];
    }
  }

  /** Turns values into their change, and keeps them; {@code kept} may be the anchor itself. */
  static void takeChange(float[] values, float[] anchor, float[] kept, int size) {
    for (int i = 0; i < size; i++) {
      float value = values[i];
      values[i] = value - anchor[i];
      kept[i] = value;
    }
  }

  /** Turns values into those that global ones become with their change. */
  static void rebase(float[] values, float[] anchor, float[] global, int size) {
    for (int i = 0; i < size; i++) {
      values[i] = global[i] + (values[i] - anchor[i]);
    }
  }

  /**
   * Takes what was left out of a change off what is known.
   *
   * @return whether it is nothing
   */
  static boolean leave(float[] known, float[] left, int size) {
    boolean nothing = true;
    for (int i = 0; i < size; i++) {
      known[i] -= left[i];
      nothing &= left[i] == 0f;
    }
    return nothing;
  }

  /** Whether a change is nothing. */
  static boolean isZero(float[] change, int size) {
    for (int i = 0; i < size; i++) {
      if (change[i] != 0f) {
        return false;
      }
    }
    return true;
  }

  /** Multiplies a change. */
  static void scale(float[] change, float factor, int size) {
    for (int i = 0; i < size; i++) {
      change[i] *= factor;
    }
  }

  /** Moves values to where a multiple of their change leads. */
  static void scaleChange(float[] values, float[] anchor, float factor, int size) {
    for (int i = 0; i < size; i++) {
      values[i] = anchor[i] + factor * (values[i] - anchor[i]);
    }
  }

  /** Adds a part of another's change to values. */
  static void addChange(
      float[] values, float[] theirs, float[] theirAnchor, float share, int size) {
    for (int i = 0; i < size; i++) {
      values[i] += share * (theirs[i] - theirAnchor[i]);
    }
  }

  /** Turns changes into values. */
  static void add(float[] changes, float[] anchor, int size) {
    for (int i = 0; i < size; i++) {
      changes[i] += anchor[i];
    }
  }
}
