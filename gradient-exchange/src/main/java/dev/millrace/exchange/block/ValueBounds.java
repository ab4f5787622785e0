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
    // Not "above": NaN is neither.
    return greatest(values, size) <= GREATEST;
  }

  /** The greatest magnitude; NaN if any value is. */
  private static float greatest(float[] values, int size) {
    float greatest = 0;
    for (int i = 0; i < size; i++) {
      greatest = Math.max(greatest, Math.abs(values[i]));
    }
    return greatest;
  }
}
