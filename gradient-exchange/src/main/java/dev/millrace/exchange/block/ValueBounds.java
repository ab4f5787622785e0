package dev.millrace.exchange.block;

/**
 * Values that a model may have: numbers of a magnitude that no network which still learns comes
 * near, so that means and sums of many of their changes stay finite.
 */
public final class ValueBounds {

  /** The greatest magnitude of such a value. */
  public static final float GREATEST = 0x1p100f;

  private ValueBounds() {}

  /** Whether the first so many values are numbers, and none is beyond 2<sup>100</sup>. */
  public static boolean areSound(float[] values, int size) {
    // A branch a value, which is foreseen: a maximum is found no sooner than one after the other.
    for (int i = 0; i < size; i++) {
      // Not "above": NaN is neither.
      if (!(Math.abs(values[i]) <= GREATEST)) {
        return false;
      }
    }
    return true;
  }
}
