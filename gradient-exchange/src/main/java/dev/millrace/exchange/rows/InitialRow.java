package dev.millrace.exchange.rows;

import java.io.Serializable;

/**
 * The values that a row begins with: a function of seed, table, id and column alone. So an unknown
 * id is read without a write, and whoever computes them gets the same bits, on any platform.
 *
 * @param shape how values are distributed
 * @param spread the greatest absolute value of {@link Shape#UNIFORM}, the standard deviation of
 *     {@link Shape#NORMAL}; 0 for rows of zeros
 * @param seed tells models apart
 */
public record InitialRow(Shape shape, float spread, long seed) implements Serializable {

  /** Small values around 0. */
  public static final InitialRow DEFAULT = new InitialRow(Shape.NORMAL, 0.01f, 0);

  private static final int UNIFORM_BITS = 24;

  /** What a sum of four numbers of 16 bits is multiplied by to have a deviation of 1: √3 / 2^16. */
  private static final float OF_FOUR = 1.7320508f / (1 << 16);

  /** A distribution with mean 0. */
  public enum Shape {
    /** All values between -spread and spread alike. */
    UNIFORM,

    /**
     * The sum of four uniform numbers, which is nearly normal and at most 3.5 deviations from 0. It
     * needs no logarithm, whose last bit platforms may differ in.
     */
    NORMAL
  }

  public InitialRow {
    if (!(spread >= 0 && spread <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "Initial values have a spread of %s; it must be 0 or a finite number above"
              .formatted(spread));
    }
  }

  /**
   * Writes a row's initial values.
   *
   * @param table {@link RowTable#hash} of the table
   * @param values takes {@code dimension} values from {@code at} on
   */
  public void fill(long table, long id, float[] values, int at, int dimension) {
    long start = RowHash.mix(RowHash.mix(seed ^ table) + id);
    for (int column = 0; column < dimension; column++) {
      long bits = RowHash.mix(start + (column + 1) * RowHash.GOLDEN);
      float unit = shape == Shape.UNIFORM ? uniform(bits) : normal(bits);
      // Makes 0 of -0.
      values[at + column] = spread * unit + 0.0f;
    }
  }

  /** Makes a number from -1 to 1, which is exact: 24 bits fit a float. */
  private static float uniform(long bits) {
    return (bits >> (Long.SIZE - UNIFORM_BITS)) * 0x1p-23f;
  }

  private static float normal(long bits) {
    int sum = (short) bits + (short) (bits >> 16) + (short) (bits >> 32) + (short) (bits >> 48);
    // Each of the four is half a step below 0 in the mean.
    return (sum + 2) * OF_FOUR;
  }
}
