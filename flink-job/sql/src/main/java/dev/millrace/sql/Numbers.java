package dev.millrace.sql;

import dev.millrace.example.InvalidExampleException;

/** Numbers as features. */
final class Numbers {

  private Numbers() {}

  /**
   * A feature of a number.
   *
   * @param column names where it is from
   * @throws InvalidExampleException if it isn't finite, or beyond the range of float
   */
  static float toFeature(double number, String column) throws InvalidExampleException {
    float feature = (float) number;
    if (!Float.isFinite(feature)) {
      throw new InvalidExampleException(
          Double.isFinite(number)
              ? "column '%s': %s is beyond the range of float".formatted(column, number)
              : "column '%s': a finite number expected, %s found".formatted(column, number));
    }
    return feature;
  }
}
